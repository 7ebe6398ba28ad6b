#include "tool/frontend/count/work_count.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "tool/frontend/count/operation_counter.h"
#include "tool/frontend/describe/clause_expressions.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/frontend/unit/unit_builder.h"
#include "tool/model/workload_kernel.h"

namespace hone::frontend {
namespace {

using namespace clang;

// The kernel in its unit, and the function of the harness that evaluates the clauses.
class UnitFunctions final : public SyntaxVisitor {
 public:
  explicit UnitFunctions(const KernelSpec& spec) : spec_(spec) {}
  const FunctionDecl* kernel = nullptr;
  const FunctionDecl* clauses = nullptr;

  bool VisitFunctionDecl(FunctionDecl* function) {
    if (!function->isThisDeclarationADefinition() || function->isDependentContext()) return true;
    if (function->getDeclName().isIdentifier() && function->getName() == "hone_evaluate_here") clauses = function;
    if (mangled_name(*function) == spec_.mangled_name && signature(*function) == spec_.signature) kernel = function;
    return true;
  }

 private:
  const KernelSpec& spec_;
};

void set_scalars(const FunctionDecl& function, const KernelSpec& spec, Affine& affine) {
  if (has_workload(spec)) return;  // its parameters are the workload's
  for (unsigned i = 0; i < spec.parameters.size() && i < function.getNumParams(); ++i) {
    const ParmVarDecl& parameter = *function.getParamDecl(i);
    if (!spec.parameters[i].pointer && parameter.getType()->isIntegralOrEnumerationType())
      affine.set(parameter, Polynomial::symbol(i));
  }
}

void count_bytes(const FunctionDecl& clauses, const KernelSpec& spec, WorkCount& work) {
  Affine affine(clauses.getASTContext());
  set_scalars(clauses, spec, affine);
  const std::vector<const Expr*> expressions = clause_expressions(clauses);
  for (const Parameter& parameter : spec.parameters) {
    if (!parameter.pointer) continue;
    Polynomial bytes(static_cast<double>(parameter.element.size) * (parameter.role == Role::inout ? 2 : 1));
    for (const Dimension& dimension : parameter.extent) {
      const auto length =
          dimension.length < expressions.size() ? affine.value(expressions[dimension.length]) : std::nullopt;
      if (!length) {
        work.unknown_bytes = "the extent of '" + parameter.name + "' is not a formula over the parameters";
        return;
      }
      bytes = bytes * *length;
    }
    work.data += bytes;
  }
}

void count_operations(const FunctionDecl& kernel, const KernelSpec& spec, WorkCount& work) {
  OperationCounter counter(kernel.getASTContext());
  set_scalars(kernel, spec, counter.affine());
  for (auto& [kind, count] : counter.count(kernel))
    if (!count.is_zero()) work.kinds.push_back({kind.first, kind.second, count});
  work.unknown_operations = counter.failure();
  std::ranges::stable_sort(work.kinds, std::ranges::greater(), &WorkCount::Kind::floating);
}

double evaluated(const Polynomial& formula, const std::vector<std::string>& scalars,
                 const std::map<std::string, double>& values) {
  std::map<Polynomial::Symbol, double> by_index;
  for (unsigned i = 0; i < scalars.size(); ++i)
    if (const auto value = values.find(scalars[i]); value != values.end()) by_index[i] = value->second;
  const std::optional<double> result = formula.at(by_index);
  return result ? std::max(0.0, *result) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool WorkCount::has_floating() const {
  return std::ranges::any_of(kinds, &Kind::floating);
}

Polynomial WorkCount::total() const {
  Polynomial sum;
  for (const Kind& kind : kinds)
    if (kind.floating == has_floating()) sum += kind.count;
  return sum;
}

double WorkCount::operations(const std::map<std::string, double>& values) const {
  if (!unknown_operations.empty()) return std::numeric_limits<double>::quiet_NaN();
  return evaluated(total(), scalars, values);
}

double WorkCount::bytes(const std::map<std::string, double>& values) const {
  if (!unknown_bytes.empty()) return std::numeric_limits<double>::quiet_NaN();
  return evaluated(data, scalars, values);
}

std::string WorkCount::text() const {
  const std::string operations = !unknown_operations.empty()
                                     ? "unknown operations (" + unknown_operations + ")"
                                     : total().text(scalars) + (has_floating() ? " flops" : " integer operations");
  return operations + ", " +
         (unknown_bytes.empty() ? data.text(scalars) + " bytes" : "unknown bytes (" + unknown_bytes + ")");
}

std::string WorkCount::text_by_kind() const {
  std::string text;
  for (const Kind& kind : kinds)
    text +=
        (text.empty() ? "" : ", ") + kind.count.text(scalars) + " " + kind.name + (kind.floating ? "" : " (integer)");
  return text;
}

std::optional<WorkCount> count_work(const KernelSpec& spec, const CompileCommand& command, const Options& options) {
  if (spec.cuda) return std::nullopt;
  Parser::Settings settings;
  settings.reuse_prologue = false;
  auto parser = Parser::create(command, options, settings);
  if (!parser) return std::nullopt;
  auto parsed = parser->parse(assembled(spec.unit, parser->main_file()));
  if (!parsed || !(*parsed)->errors().empty()) return std::nullopt;
  UnitFunctions functions(spec);
  for (Decl* declaration : (*parsed)->declarations())
    if (!(*parsed)->sources().isInSystemHeader(declaration->getLocation())) functions.TraverseDecl(declaration);
  if (!functions.kernel || !functions.clauses) return std::nullopt;
  WorkCount work;
  for (const Parameter& parameter : spec.parameters) work.scalars.push_back(parameter.name);
  count_operations(*functions.kernel, spec, work);
  if (!work.unknown_operations.empty()) work.kinds.clear();
  count_bytes(*functions.clauses, spec, work);
  return work;
}

std::map<std::string, double> scalar_values(std::string_view label) {
  std::map<std::string, double> values;
  while (!label.empty()) {
    const std::string word(label.substr(0, label.find(' ')));
    label.remove_prefix(std::min(label.size(), word.size() + 1));
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const std::string text = word.substr(equals + 1);
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == 0)
      values[word.substr(0, equals)] = number;
    else if (text == "true" || text == "false")
      values[word.substr(0, equals)] = text == "true";
  }
  return values;
}

}  // namespace hone::frontend
