#include "tool/frontend/describe/wide_products.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tool/frontend/describe/reached_code.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::int64_t short_loop = 1 << 12;  // iterations: 2^31 elements are as many rows of half a million

const Expr* bare(const Expr* expression) {
  return expression->IgnoreParenCasts();
}

// x of threadIdx.x, which Clang's headers make a property, or of blockDim.x.
bool is_place_in_block(const Expr* expression) {
  const auto* access = dyn_cast<PseudoObjectExpr>(expression);
  const auto* property = access ? dyn_cast<MSPropertyRefExpr>(access->getSyntacticForm()) : nullptr;
  const Expr* object = property ? bare(property->getBaseExpr()) : nullptr;
  if (const auto* member = dyn_cast<MemberExpr>(expression)) object = bare(member->getBase());
  if (const auto* bound = dyn_cast_or_null<OpaqueValueExpr>(object)) object = bare(bound->getSourceExpr());
  const auto* base = dyn_cast_or_null<DeclRefExpr>(object);
  return base && (base->getDecl()->getName() == "threadIdx" || base->getDecl()->getName() == "blockDim");
}

struct Product {
  const BinaryOperator* operation;
  unsigned degree = 0;
  std::set<std::string> factors;
};

class Products final : public ReachedCode {
 public:
  // `through_locals`: a local counts as what it begins with.
  Products(const ASTContext& context, bool through_locals) : ReachedCode(context), through_locals_(through_locals) {}

  std::vector<Product> wide, narrow;

  bool VisitForStmt(ForStmt* loop) override {
    const auto* condition = loop->getCond() ? dyn_cast<BinaryOperator>(bare(loop->getCond())) : nullptr;
    if (!condition || !condition->isComparisonOp()) return true;
    const auto* counter = dyn_cast<DeclRefExpr>(bare(condition->getLHS()));
    const auto end = constant(condition->getRHS());
    if (counter && end && *end <= short_loop) short_counters_.insert(counter->getDecl());
    return true;
  }

  // The outermost come first, and what is part of one is none of its own, unless it has fewer bits.
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    if (operation->getOpcode() != BO_Mul || !operation->getType()->isIntegerType() || parts_.contains(operation))
      return true;
    Product product{operation};
    product.degree = degree_of(operation, is_wide(*operation), product.factors);
    if (product.degree > 1) (is_wide(*operation) ? wide : narrow).push_back(std::move(product));
    return true;
  }

 private:
  bool is_wide(const Expr& value) const { return context().getTypeSize(value.getType()) > 32; }

  unsigned degree_of(const Expr* expression, bool wide, std::set<std::string>& factors) {
    expression = bare(expression);
    if (is_small(expression)) return 0;
    if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
      const bool multiplies = operation->getOpcode() == BO_Mul;
      if (multiplies || operation->isAdditiveOp()) {
        if (is_wide(*operation) == wide) parts_.insert(operation);
        const unsigned left = degree_of(operation->getLHS(), wide, factors);
        const unsigned right = degree_of(operation->getRHS(), wide, factors);
        return multiplies ? left + right : std::max(left, right);
      }
    }
    if (const std::string name = name_of(expression); !name.empty()) factors.insert(name);
    const auto* use = dyn_cast<DeclRefExpr>(expression);
    const auto* local = use && through_locals_ ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!local || !local->isLocalVarDecl() || !local->getInit() || !within_.insert(local).second) return 1;
    std::set<std::string> own;
    const unsigned degree = degree_of(local->getInit(), wide, own);
    within_.erase(local);
    return std::max(1U, degree);
  }

  std::optional<std::int64_t> constant(const Expr* expression) const {
    Expr::EvalResult result;
    if (expression->isValueDependent() || !expression->EvaluateAsInt(result, context())) return std::nullopt;
    return result.Val.getInt().getExtValue();
  }

  // Of what is an integer of at most 32 bits itself.
  std::string name_of(const Expr* factor) const {
    if (!factor->getType()->isIntegerType() || context().getTypeSize(factor->getType()) > 32) return "";
    if (const auto* use = dyn_cast<DeclRefExpr>(factor)) return use->getDecl()->getNameAsString();
    if (const auto* member = dyn_cast<MemberExpr>(factor)) return member->getMemberDecl()->getNameAsString();
    return "";
  }

  // Can it only be a few thousand? Variables are what they begin with.
  bool is_small(const Expr* expression) const {
    expression = bare(expression);
    if (constant(expression) || is_place_in_block(expression)) return true;
    if (const auto* choice = dyn_cast<ConditionalOperator>(expression))
      return is_small(choice->getTrueExpr()) && is_small(choice->getFalseExpr());
    if (const auto* operation = dyn_cast<BinaryOperator>(expression)) return is_small_result(*operation);
    if (const auto* call = dyn_cast<CallExpr>(expression)) return is_small_least(*call);
    const auto* use = dyn_cast<DeclRefExpr>(expression);
    if (!use || short_counters_.contains(use->getDecl())) return use;
    const auto* variable = dyn_cast<VarDecl>(use->getDecl());
    return variable && variable->isLocalVarDecl() && variable->getType().isConstQualified() && variable->getInit() &&
           is_small(variable->getInit());
  }

  // std::min, and min() of CUDA.
  bool is_small_least(const CallExpr& call) const {
    const FunctionDecl* called = call.getDirectCallee();
    return called && called->getIdentifier() && called->getName() == "min" &&
           std::ranges::any_of(call.arguments(), [&](const Expr* one) { return is_small(one); });
  }

  bool is_small_result(const BinaryOperator& operation) const {
    const Expr *left = operation.getLHS(), *right = operation.getRHS();
    switch (operation.getOpcode()) {
      case BO_Rem:
        return is_small(right);
      case BO_And:
        return is_small(left) || is_small(right);
      case BO_Div:
      case BO_Shr:
        return is_small(left);
      case BO_Add:
      case BO_Sub:
      case BO_Mul:
        return is_small(left) && is_small(right);
      default:
        return false;
    }
  }

  const bool through_locals_;
  std::set<const Decl*> short_counters_;
  std::set<const Decl*> within_;  // locals that are being looked through
  std::set<const BinaryOperator*> parts_;
};

Products products_of(const FunctionDecl& function, bool through_locals) {
  Products products(function.getASTContext(), through_locals);
  products.walk(function);
  return products;
}

std::string text_of(const BinaryOperator& operation, const ASTContext& context) {
  return Lexer::getSourceText(context.getSourceManager().getExpansionRange(operation.getSourceRange()),
                              context.getSourceManager(), context.getLangOpts())
      .str();
}

}  // namespace

WideFactors multiplied_wide(const FunctionDecl& function) {
  const Products products = products_of(function, true);
  WideFactors least;
  for (const Product& product : products.wide)
    for (const std::string& factor : product.factors) {
      const auto [known, is_new] = least.emplace(factor, product.degree);
      if (!is_new) known->second = std::min(known->second, product.degree);
    }
  return least;
}

void leave_out_narrow(const FunctionDecl& original, WideFactors& wide) {
  for (const Product& product : products_of(original, true).narrow)
    for (const std::string& factor : product.factors)
      if (const auto known = wide.find(factor); known != wide.end())
        known->second = std::max(known->second, product.degree + 1);
}

std::optional<NarrowProduct> narrow_product(const FunctionDecl& function, const WideFactors& wide) {
  for (const Product& product : products_of(function, false).narrow)
    for (const std::string& factor : product.factors)
      if (const auto least = wide.find(factor); least != wide.end() && product.degree >= least->second)
        return NarrowProduct{text_of(*product.operation, function.getASTContext()), factor,
                             product.operation->getOperatorLoc()};
  return std::nullopt;
}

}  // namespace hone::frontend
