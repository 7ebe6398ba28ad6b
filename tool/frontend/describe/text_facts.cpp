#include "tool/frontend/describe/text_facts.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/FoldingSet.h>
#include <llvm/ADT/StringSwitch.h>

#include <cmath>
#include <set>

#include "tool/frontend/describe/reached_code.h"

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

class Facts final : public ReachedCode {
 public:
  using ReachedCode::ReachedCode;

  std::set<double> constants;
  bool asks_for_nan = false;

  bool VisitIntegerLiteral(IntegerLiteral* literal) override { return add(literal->getValue().roundToDouble()); }
  bool VisitFloatingLiteral(FloatingLiteral* literal) override { return add(literal->getValueAsApproximateDouble()); }
  bool VisitCharacterLiteral(CharacterLiteral* literal) override { return add(literal->getValue()); }
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    asks_for_nan |= operation->isEqualityOp() && operation->getLHS()->getType()->isRealFloatingType() &&
                    is_same(*operation->getLHS(), *operation->getRHS());
    return true;
  }

 private:
  void reached(const ValueDecl& declaration) override {
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration); function && function->getIdentifier())
      asks_for_nan |= tells_nan(function->getName());
    const auto* enumerator = dyn_cast<EnumConstantDecl>(&declaration);
    if (enumerator && !context().getSourceManager().isInSystemHeader(enumerator->getLocation()))
      add(enumerator->getInitVal().roundToDouble());
  }

  bool add(double value) {
    if (std::isfinite(value) && constants.size() < most_constants) constants.insert(value);
    return true;
  }

  bool is_same(const Expr& left, const Expr& right) const {
    llvm::FoldingSetNodeID one, other;
    left.IgnoreParenImpCasts()->Profile(one, context(), true);
    right.IgnoreParenImpCasts()->Profile(other, context(), true);
    return one == other;
  }
};

}  // namespace

TextFacts facts_of(const FunctionDecl& function) {
  Facts facts(function.getASTContext());
  facts.walk(function);
  return {{facts.constants.begin(), facts.constants.end()}, facts.asks_for_nan};
}

}  // namespace hone::frontend
