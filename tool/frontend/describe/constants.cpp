#include "tool/frontend/describe/constants.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

#include <cmath>
#include <set>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::size_t most_constants = 64;

class Constants final : public SyntaxVisitor {
 public:
  explicit Constants(const SourceManager& sources) : sources_(sources) {}

  std::set<double> found;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitIntegerLiteral(IntegerLiteral* literal) { return add(literal->getValue().roundToDouble()); }
  bool VisitFloatingLiteral(FloatingLiteral* literal) { return add(literal->getValueAsApproximateDouble()); }
  bool VisitCharacterLiteral(CharacterLiteral* literal) { return add(literal->getValue()); }
  bool VisitDeclRefExpr(DeclRefExpr* reference) { return follow(reference->getDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr* construction) { return follow(construction->getConstructor()); }
  bool VisitMemberExpr(MemberExpr* member) { return follow(member->getMemberDecl()); }

 private:
  bool add(double value) {
    if (std::isfinite(value)) found.insert(value);
    return found.size() < most_constants;
  }

  // What is the user's.
  bool follow(ValueDecl* declaration) {
    if (!declaration || sources_.isInSystemHeader(declaration->getLocation()) ||
        !seen_.insert(declaration->getCanonicalDecl()).second)
      return true;
    if (auto* function = dyn_cast<FunctionDecl>(declaration)) {
      const FunctionDecl* definition = nullptr;
      return !function->hasBody(definition) || TraverseStmt(definition->getBody());
    }
    if (auto* variable = dyn_cast<VarDecl>(declaration))
      if (const Expr* value = variable->getAnyInitializer()) return TraverseStmt(const_cast<Expr*>(value));
    if (auto* enumerator = dyn_cast<EnumConstantDecl>(declaration))
      return add(enumerator->getInitVal().roundToDouble());
    return true;
  }

  const SourceManager& sources_;
  std::set<const Decl*> seen_;
};

}  // namespace

std::vector<double> constants_of(const FunctionDecl& function) {
  Constants constants(function.getASTContext().getSourceManager());
  const FunctionDecl* definition = nullptr;
  if (function.hasBody(definition)) constants.TraverseStmt(definition->getBody());
  return {constants.found.begin(), constants.found.end()};
}

}  // namespace hone::frontend
