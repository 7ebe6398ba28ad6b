#include "tool/frontend/describe/wide_products.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <set>

#include "tool/frontend/describe/reached_code.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::int64_t most_small = 1 << 12;  // 2^31 elements are as many rows of half a million

const Expr* bare(const Expr* expression) {
  return expression->IgnoreParenCasts();
}

const VarDecl* variable_of(const Expr* expression) {
  const auto* use = dyn_cast<DeclRefExpr>(bare(expression));
  return use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
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

// Variables that get another value than their first, as far as one function shows it.
class Changed final : public ReachedCode {
 public:
  using ReachedCode::ReachedCode;

  std::set<const Decl*> variables;

  bool VisitBinaryOperator(BinaryOperator* operation) override {
    return !operation->isAssignmentOp() || add(operation->getLHS());
  }
  bool VisitUnaryOperator(UnaryOperator* operation) override {
    return !(operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf) ||
           add(operation->getSubExpr());
  }

 private:
  bool add(const Expr* target) {
    variables.insert(variable_of(target));
    return true;
  }
};

struct Product {
  const BinaryOperator* operation;
  unsigned degree = 0;
  std::set<std::string> factors;
};

class Products final : public ReachedCode {
 public:
  // `through_locals`: a local counts as what it begins with. `changed`: variables that are not what they begin with.
  Products(const ASTContext& context, bool through_locals, std::set<const Decl*> changed = {})
      : ReachedCode(context), through_locals_(through_locals), changed_(std::move(changed)) {}

  std::vector<Product> wide, narrow;

  bool VisitForStmt(ForStmt* loop) override {
    const auto* begin = dyn_cast_or_null<DeclStmt>(loop->getInit());
    if (!begin || !loop->getCond()) return true;
    for (const Decl* declared : begin->decls())
      if (const auto* counter = dyn_cast<VarDecl>(declared); counter && is_short(*counter, loop->getCond()))
        short_counters_.insert(counter);
    return true;
  }

  // The outermost come first, and what is part of one is none of its own, unless it has fewer bits.
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    const bool multiplies = operation->getOpcode() == BO_Mul || operation->getOpcode() == BO_MulAssign;
    if (!multiplies || !is_integer(*operation) || parts_.contains(operation)) return true;
    const bool wide_itself = is_wide(*operation);
    Product product{operation};
    for (const Expr* factor : {operation->getLHS(), operation->getRHS()})
      product.degree += degree_of(factor, wide_itself, product.factors);
    if (product.degree > 1) (wide_itself ? wide : narrow).push_back(std::move(product));
    return true;
  }

 private:
  static bool is_integer(const Expr& value) {
    return !value.isInstantiationDependent() && value.getType()->isIntegerType();
  }
  bool is_wide(const Expr& value) const { return context().getTypeSize(value.getType()) > 32; }

  unsigned degree_of(const Expr* expression, bool wide, std::set<std::string>& factors) {
    expression = bare(expression);
    if (is_small(expression)) return 0;
    const auto* operation = dyn_cast<BinaryOperator>(expression);
    if (operation && is_integer(*operation) && (operation->getOpcode() == BO_Mul || operation->isAdditiveOp())) {
      if (is_wide(*operation) == wide) parts_.insert(operation);
      const unsigned left = degree_of(operation->getLHS(), wide, factors);
      const unsigned right = degree_of(operation->getRHS(), wide, factors);
      return operation->getOpcode() == BO_Mul ? left + right : std::max(left, right);
    }
    if (const std::string name = name_of(expression); !name.empty()) factors.insert(name);
    const VarDecl* local = through_locals_ ? variable_of(expression) : nullptr;
    if (!local || !local->isLocalVarDecl() || !local->getInit() || !within_.insert(local).second) return 1;
    std::set<std::string> own;
    const unsigned degree = degree_of(local->getInit(), wide, own);
    within_.erase(local);
    return std::max(1U, degree);
  }

  static std::string name_of(const Expr* factor) {
    if (!is_integer(*factor)) return "";
    if (const auto* use = dyn_cast<DeclRefExpr>(factor)) return use->getDecl()->getNameAsString();
    if (const auto* member = dyn_cast<MemberExpr>(factor)) return member->getMemberDecl()->getNameAsString();
    return "";
  }

  std::optional<std::int64_t> constant(const Expr* expression) const {
    Expr::EvalResult result;
    if (expression->isInstantiationDependent() || !expression->EvaluateAsInt(result, context())) return std::nullopt;
    return result.Val.getInt().getExtValue();
  }

  // Does a conjunct hold it below what is small, or does it fall from there?
  bool is_short(const VarDecl& counter, const Expr* condition) const {
    const auto* comparison = dyn_cast<BinaryOperator>(bare(condition));
    if (!comparison || !counter.getInit() || !is_small(counter.getInit())) return false;
    if (comparison->getOpcode() == BO_LAnd)
      return is_short(counter, comparison->getLHS()) || is_short(counter, comparison->getRHS());
    if (!comparison->isComparisonOp() || variable_of(comparison->getLHS()) != &counter) return false;
    const BinaryOperatorKind kind = comparison->getOpcode();
    return kind == BO_GT || kind == BO_GE || (kind != BO_EQ && is_small(comparison->getRHS()));
  }

  bool is_small(const Expr* expression) const {
    expression = bare(expression);
    if (const auto value = constant(expression)) return -most_small <= *value && *value <= most_small;
    if (is_place_in_block(expression)) return true;
    if (const auto* choice = dyn_cast<ConditionalOperator>(expression))
      return is_small(choice->getTrueExpr()) && is_small(choice->getFalseExpr());
    if (const auto* operation = dyn_cast<BinaryOperator>(expression)) return is_small_result(*operation);
    if (const auto* call = dyn_cast<CallExpr>(expression)) return is_small_least(*call);
    const VarDecl* variable = variable_of(expression);
    if (!variable) return false;
    if (short_counters_.contains(variable)) return true;
    return variable->isLocalVarDecl() && !changed_.contains(variable) && variable->getInit() &&
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
    const auto masks = [&](const Expr* side) {
      const auto value = constant(side);
      return value ? 0 <= *value && *value <= most_small : is_small(side);
    };
    switch (operation.getOpcode()) {
      case BO_Rem:
        return is_small(right);
      case BO_And:
        return masks(left) || masks(right);
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
  const std::set<const Decl*> changed_;
  std::set<const Decl*> short_counters_;
  std::set<const Decl*> within_;  // locals that are being looked through
  std::set<const BinaryOperator*> parts_;
};

Products products_of(const std::vector<const FunctionDecl*>& functions, bool through_locals) {
  const ASTContext& context = functions.front()->getASTContext();
  Changed changed(context);
  for (const FunctionDecl* function : functions) changed.walk(*function);
  Products products(context, through_locals, std::move(changed.variables));
  for (const FunctionDecl* function : functions) products.walk(*function);
  return products;
}

std::string text_of(const BinaryOperator& operation, const ASTContext& context) {
  return Lexer::getSourceText(context.getSourceManager().getExpansionRange(operation.getSourceRange()),
                              context.getSourceManager(), context.getLangOpts())
      .str();
}

}  // namespace

WideFactors multiplied_wide(const ASTContext& context, const std::vector<const Expr*>& extents) {
  Products products(context, true);
  for (const Expr* extent : extents) products.TraverseStmt(const_cast<Expr*>(extent));
  WideFactors least;
  for (const Product& product : products.wide)
    for (const std::string& factor : product.factors) {
      const auto [known, is_new] = least.emplace(factor, product.degree);
      if (!is_new) known->second = std::min(known->second, product.degree);
    }
  return least;
}

void leave_out_narrow(const FunctionDecl& original, WideFactors& wide) {
  if (wide.empty()) return;
  for (const Product& product : products_of({&original}, true).narrow)
    for (const std::string& factor : product.factors)
      if (const auto known = wide.find(factor); known != wide.end())
        known->second = std::max(known->second, product.degree + 1);
}

std::optional<NarrowProduct> narrow_product(const std::vector<const FunctionDecl*>& candidate,
                                            const WideFactors& wide) {
  if (wide.empty() || candidate.empty()) return std::nullopt;
  for (const Product& product : products_of(candidate, false).narrow)
    for (const std::string& factor : product.factors)
      if (const auto least = wide.find(factor); least != wide.end() && product.degree >= least->second)
        return NarrowProduct{text_of(*product.operation, candidate.front()->getASTContext()), factor,
                             product.operation->getOperatorLoc()};
  return std::nullopt;
}

}  // namespace hone::frontend
