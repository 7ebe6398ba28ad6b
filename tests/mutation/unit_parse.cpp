#include "tests/mutation/unit_parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>

#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/model/candidate.h"

namespace hone::mutation {
namespace {

using namespace clang;

// Function definitions at namespace level.
class Functions : public frontend::SyntaxVisitor {
 public:
  std::vector<FunctionDecl*> found;
  bool VisitFunctionDecl(FunctionDecl* function) override {
    if (function->isThisDeclarationADefinition() && function->getDeclContext()->isFileContext() &&
        !function->isTemplateInstantiation())
      found.push_back(function);
    return true;
  }
};

}  // namespace

Result<UnitParse> UnitParse::create(const std::string& candidate, const KernelSpec& spec,
                                    const CompileCommand& command) {
  frontend::Parser::Settings settings;
  settings.reuse_prologue = false;
  HONE_TRY(frontend::Parser parser, frontend::Parser::create(command, {}, settings));
  UnitParse unit(std::move(parser));
  const SplitSource split = split_includes(candidate);
  unit.includes_ = split.includes;
  std::string text = spec.unit.prologue + split.includes + spec.unit.opening;
  unit.candidate_.begin = text.size();
  text += split.definition;
  unit.candidate_.end = text.size();
  HONE_TRY(unit.parsed_, unit.parser_.parse(text + '\n' + spec.unit.closing));
  if (const auto& errors = unit.parsed_->errors(); !errors.empty())
    return failure(errors.front().text, errors.front().file + ':' + std::to_string(errors.front().line));
  return unit;
}

std::vector<FunctionDecl*> UnitParse::functions_in(frontend::TextRange range) const {
  Functions functions;
  for (Decl* declaration : parsed_->declarations()) functions.TraverseDecl(declaration);
  std::vector<FunctionDecl*> inside;
  for (FunctionDecl* function : functions.found) {
    const auto place = frontend::range_of(parsed_->context(), function->getLocation());
    if (place && range.contains(*place)) inside.push_back(function);
  }
  return inside;
}

std::vector<FunctionDecl*> UnitParse::functions() const {
  return functions_in(candidate_);
}

std::vector<FunctionDecl*> UnitParse::functions_before() const {
  return functions_in({0, candidate_.begin});
}

}  // namespace hone::mutation
