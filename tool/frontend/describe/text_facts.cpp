#include "tool/frontend/describe/text_facts.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/FoldingSet.h>
#include <llvm/ADT/StringSwitch.h>

#include <cmath>
#include <set>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::size_t most_constants = 64;

// Of the C library, the compiler and CUDA. isinf() is none: it says nothing of what is no number.
bool tells_nan(llvm::StringRef function) {
  return llvm::StringSwitch<bool>(function)
      .Cases("isnan", "isnanf", "isnanl", "__isnan", "__isnanf", "__isnanl", "__builtin_isnan", true)
      .Cases("__hisnan", "__hisnan2", "__nv_isnanf", "__nv_isnand", true)
      .Cases("isunordered", "__builtin_isunordered", "isnormal", "__builtin_isnormal", true)
      .Cases("isfinite", "finite", "finitef", "finitel", "__finite", "__finitef", "__builtin_isfinite", true)
      .Cases("fpclassify", "__builtin_fpclassify", "__fpclassify", "__fpclassifyf", true)
      .Default(false);
}

class Facts final : public SyntaxVisitor {
 public:
  explicit Facts(const ASTContext& context) : context_(context) {}

  std::set<double> constants;
  bool asks_for_nan = false;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitIntegerLiteral(IntegerLiteral* literal) { return add(literal->getValue().roundToDouble()); }
  bool VisitFloatingLiteral(FloatingLiteral* literal) { return add(literal->getValueAsApproximateDouble()); }
  bool VisitCharacterLiteral(CharacterLiteral* literal) { return add(literal->getValue()); }
  bool VisitDeclRefExpr(DeclRefExpr* reference) { return follow(reference->getDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr* construction) { return follow(construction->getConstructor()); }
  bool VisitMemberExpr(MemberExpr* member) { return follow(member->getMemberDecl()); }
  bool VisitBinaryOperator(BinaryOperator* operation) {
    asks_for_nan |= operation->isEqualityOp() && operation->getLHS()->getType()->isRealFloatingType() &&
                    is_same(*operation->getLHS(), *operation->getRHS());
    return true;
  }

 private:
  bool add(double value) {
    if (std::isfinite(value) && constants.size() < most_constants) constants.insert(value);
    return true;
  }

  bool is_same(const Expr& left, const Expr& right) const {
    llvm::FoldingSetNodeID one, other;
    left.IgnoreParenImpCasts()->Profile(one, context_, true);
    right.IgnoreParenImpCasts()->Profile(other, context_, true);
    return one == other;
  }

  // What is the user's.
  bool follow(ValueDecl* declaration) {
    if (!declaration) return true;
    if (auto* function = dyn_cast<FunctionDecl>(declaration); function && function->getIdentifier())
      asks_for_nan |= tells_nan(function->getName());
    if (context_.getSourceManager().isInSystemHeader(declaration->getLocation()) ||
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

  const ASTContext& context_;
  std::set<const Decl*> seen_;
};

}  // namespace

TextFacts facts_of(const FunctionDecl& function) {
  Facts facts(function.getASTContext());
  const FunctionDecl* definition = nullptr;
  if (function.hasBody(definition)) facts.TraverseStmt(definition->getBody());
  return {{facts.constants.begin(), facts.constants.end()}, facts.asks_for_nan};
}

}  // namespace hone::frontend
