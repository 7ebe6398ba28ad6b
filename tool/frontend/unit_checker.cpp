#include "tool/frontend/unit_checker.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <map>

#include "tool/frontend/diagnostics.h"
#include "tool/frontend/harness.h"

namespace hone::frontend {
namespace {

using namespace clang;

class Constants final : public RecursiveASTVisitor<Constants> {
 public:
  std::map<std::string, double> values;
  bool VisitVarDecl(VarDecl* variable) {
    const std::string name = variable->getNameAsString();
    if (!name.starts_with("hone_constant_")) return true;
    if (const APValue* value = variable->evaluateValue(); value && value->isFloat()) values[name] = value->getFloat().convertToDouble();
    return true;
  }
};

// Errors in what the annotation says, as opposed to errors of a unit that was cut too small.
bool in_a_clause(const Message& message, const Annotation*, unsigned first_line, unsigned last_line, const std::string& file) {
  return message.file == file && message.line >= first_line && message.line <= last_line;
}

std::vector<Mistake> store_constants(const Description& description, const Parsed& parsed, KernelSpec& spec) {
  std::vector<Mistake> mistakes;
  Constants constants;
  constants.TraverseDecl(parsed.context().getTranslationUnitDecl());
  for (std::size_t i = 0; i < description.constants.size(); ++i) {
    const PendingConstant& constant = description.constants[i];
    const auto found = constants.values.find("hone_constant_" + std::to_string(i));
    std::string why = found == constants.values.end() ? "a constant is expected here" : constant.store(spec, found->second);
    if (!why.empty()) mistakes.push_back({constant.expression.location, std::move(why)});
  }
  return mistakes;
}

}  // namespace

std::vector<Mistake> UnitChecker::build(const Attachment& attachment, const Closure& closure, const Description& description,
                                        const Placement& placement, KernelSpec& spec) {
  const std::string harness = harness_text(*attachment.function, description, spec, placement.file);
  const std::string constants = description.constants.empty() ? "" : constants_text(*attachment.function, description, placement.file);
  // Clauses stand between the annotation and the definition; nothing else of the unit does.
  const unsigned first = spec.line, last = placement.begin_line;
  for (const Blanking blanking : {Blanking::all_but_closure, Blanking::other_functions, Blanking::only_main}) {
    spec.unit = cut(reduced_text(unit_, outline_, closure, blanking), placement, unit_.text());
    spec.unit.harness = harness;
    auto parsed = parser_.parse(assembled(spec.unit, placement.file) + constants);
    if (!parsed) return {{{spec.line, 1}, parsed.error().what}};
    const std::vector<Message>& errors = (*parsed)->errors();
    if (errors.empty()) return store_constants(description, **parsed, spec);
    if (blanking != Blanking::only_main) continue;
    std::vector<Mistake> mistakes;
    for (const Message& error : errors)
      if (in_a_clause(error, nullptr, first, last, placement.file)) mistakes.push_back({{error.line, error.column}, error.text});
    if (mistakes.empty()) mistakes.push_back({{spec.line, 1}, "the clauses do not fit the function: " + errors.front().text});
    return mistakes;
  }
  return {};
}

}  // namespace hone::frontend
