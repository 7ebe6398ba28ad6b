#include "tool/frontend/unit/unit_checker.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <llvm/Support/MemoryBuffer.h>

#include <cstdlib>
#include <map>
#include <string_view>

#include "tool/frontend/describe/clause_expressions.h"
#include "tool/frontend/describe/macro_frame.h"
#include "tool/frontend/describe/mistake_text.h"
#include "tool/frontend/describe/placement.h"
#include "tool/frontend/describe/wide_products.h"
#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/frontend/unit/active_text.h"
#include "tool/frontend/unit/clause_check.h"
#include "tool/frontend/unit/harness.h"

namespace hone::frontend {
namespace {

using namespace clang;

class Constants final : public SyntaxVisitor {
 public:
  std::map<std::string, double> values;
  bool VisitVarDecl(VarDecl* variable) {
    const std::string name = variable->getNameAsString();
    if (!name.starts_with("hone_constant_")) return true;
    if (const APValue* value = variable->evaluateValue(); value && value->isFloat())
      values[name] = value->getFloat().convertToDouble();
    return true;
  }
};

// The harness's function that computes the clauses' expressions.
class Evaluation final : public SyntaxVisitor {
 public:
  const FunctionDecl* found = nullptr;
  bool VisitFunctionDecl(FunctionDecl* function) override {
    if (function->getNameAsString() == "hone_evaluate_here" && function->hasBody()) found = function;
    return !found;
  }
};

WideFactors wide_factors_of(const Parsed& parsed, const KernelSpec& spec) {
  Evaluation evaluation;
  for (Decl* declaration : parsed.declarations()) evaluation.TraverseDecl(declaration);
  if (!evaluation.found) return {};
  const std::vector<const Expr*> expressions = clause_expressions(*evaluation.found);
  std::vector<const Expr*> extents;
  const auto add = [&](ExpressionId id) {
    if (id < expressions.size()) extents.push_back(expressions[id]);
  };
  for (const Parameter& parameter : spec.parameters)
    for (const Dimension& dimension : parameter.extent) {
      add(dimension.length);
      if (dimension.start) add(*dimension.start);
    }
  return multiplied_wide(evaluation.found->getASTContext(), extents);
}

// Errors in what the annotation says, as opposed to errors of a unit that was cut too small.
bool in_a_clause(const Message& message, unsigned first_line, unsigned last_line, const std::string& file) {
  return message.file == file && message.line >= first_line && message.line <= last_line;
}

// The constant of the clauses that Clang calls none; nullptr: the error is another one.
const PendingConstant* no_constant(const Message& error, const Description& description) {
  constexpr std::string_view name = "'hone_constant_";
  const std::size_t at = error.text.find(name);
  if (at == std::string::npos || error.text.find("must be initialized by a constant") == std::string::npos)
    return nullptr;
  const std::size_t number = std::strtoul(error.text.c_str() + at + name.size(), nullptr, 10);
  return number < description.constants.size() ? &description.constants[number] : nullptr;
}

std::vector<Mistake> store_constants(const Description& description, const Parsed& parsed, KernelSpec& spec) {
  std::vector<Mistake> mistakes;
  Constants constants;
  for (Decl* declaration : parsed.declarations()) constants.TraverseDecl(declaration);
  for (std::size_t i = 0; i < description.constants.size(); ++i) {
    const PendingConstant& constant = description.constants[i];
    const auto found = constants.values.find("hone_constant_" + std::to_string(i));
    if (found == constants.values.end() && !constant.required) continue;
    std::string why =
        found == constants.values.end() ? "a constant is expected here" : constant.store(spec, found->second);
    if (!why.empty())
      mistakes.push_back(
          {found == constants.values.end() ? DiagnosticCode::constant_expected : DiagnosticCode::value_out_of_range,
           constant.expression.location, std::move(why)});
  }
  return mistakes;
}

}  // namespace

std::vector<Mistake> UnitChecker::build(const Attachment& attachment, const Closure& closure,
                                        const Description& description, const Placement& placement, KernelSpec& spec) {
  const MacroFrame frame = frame_for_move(unit_, annotation_.begin, annotation_.end, unit_.text().size());
  const std::string harness = frame.in_front + harness_text(*attachment.function, description, spec, placement.file);
  const std::string constants =
      description.constants.empty() ? "" : constants_text(*attachment.function, description, placement.file);
  // Clauses stand between the annotation and the definition; nothing else of the unit does.
  const unsigned first = spec.line, last = placement.begin_line;
  for (const Blanking blanking : {Blanking::all_but_closure, Blanking::other_functions, Blanking::only_main}) {
    spec.unit = cut(reduced_text(unit_, outline_, closure, blanking), placement, unit_.text());
    spec.unit.harness = harness;
    if (std::string active = active_text(unit_, placement.begin, placement.end); active != spec.unit.definition)
      spec.unit.without_branches = std::move(active);
    auto parsed = parser_.parse(assembled(spec.unit, placement.file) + constants);
    if (!parsed) return {{DiagnosticCode::clang_refuses, {spec.line, 1}, parsed.error().what}};
    const std::vector<Message>& errors = (*parsed)->errors();
    if (errors.empty()) {
      spec.wide_factors = wide_factors_of(**parsed, spec);
      return store_constants(description, **parsed, spec);
    }
    if (blanking != Blanking::only_main) continue;
    std::vector<Mistake> mistakes;
    for (const Message& error : errors)
      if (const PendingConstant* constant = no_constant(error, description))
        mistakes.push_back(
            {DiagnosticCode::constant_expected, constant->expression.location, "a constant is expected here"});
      else if (in_a_clause(error, first, last, placement.file))
        mistakes.push_back({DiagnosticCode::clause_expression, {error.line, error.column}, error.text});
    if (mistakes.empty())
      mistakes.push_back({DiagnosticCode::clauses_do_not_fit,
                          {spec.line, 1},
                          "the clauses do not fit the function: " + errors.front().text});
    return mistakes;
  }
  return {};
}

std::vector<Diagnostic> check_unit(const KernelSpec& spec, const CompileCommand& command, const Options& options) {
  auto parser = Parser::create(command, options);  // gate and workshop go on with its prologue
  if (!parser)
    return {{DiagnosticCode::clang_refuses, spec.file, spec.line, 1, parser.error().what, parser.error().message()}};
  auto parsed = parser->parse(assembled(spec.unit, parser->main_file()));
  if (!parsed)
    return {{DiagnosticCode::clang_refuses, spec.file, spec.line, 1, parsed.error().what, parsed.error().message()}};
  auto source = llvm::MemoryBuffer::getFile(spec.file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  const std::string text = source ? (*source)->getBuffer().str() : std::string();
  std::vector<Diagnostic> diagnostics;
  for (const Message& error : (*parsed)->errors()) {
    const bool in_file = error.file == parser->main_file();
    Mistake mistake{DiagnosticCode::clause_expression, {error.line, error.column}, error.text};
    if (!in_file)
      mistake = {
          DiagnosticCode::clauses_do_not_fit, {spec.line, 1}, "the clauses do not fit the function: " + error.text};
    diagnostics.push_back(make_diagnostic(text, parser->main_file(), std::move(mistake)));
  }
  return diagnostics;
}

}  // namespace hone::frontend
