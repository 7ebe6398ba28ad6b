#include "tool/transforms/code/interval.h"

#include <algorithm>
#include <limits>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

using Found = std::optional<Interval>;

Found hull(Found one, Found other) {
  if (!one || !other) return std::nullopt;
  return Interval{std::min(one->low, other->low), std::max(one->high, other->high)};
}

Found sum(const Interval& a, const Interval& b) {
  Interval result;
  if (__builtin_add_overflow(a.low, b.low, &result.low) || __builtin_add_overflow(a.high, b.high, &result.high))
    return std::nullopt;
  return result;
}

Found difference(const Interval& a, const Interval& b) {
  Interval result;
  if (__builtin_sub_overflow(a.low, b.high, &result.low) || __builtin_sub_overflow(a.high, b.low, &result.high))
    return std::nullopt;
  return result;
}

Found product(const Interval& a, const Interval& b) {
  long long corners[4];
  if (__builtin_mul_overflow(a.low, b.low, &corners[0]) || __builtin_mul_overflow(a.low, b.high, &corners[1]) ||
      __builtin_mul_overflow(a.high, b.low, &corners[2]) || __builtin_mul_overflow(a.high, b.high, &corners[3]))
    return std::nullopt;
  return Interval{*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

// By one number above 0.
Found quotient(const Interval& a, const Interval& b) {
  return b.low == b.high && b.low > 0 ? Found({a.low / b.low, a.high / b.low}) : std::nullopt;
}

Found remainder(const Interval& a, const Interval& b) {
  if (b.low != b.high || b.low <= 0) return std::nullopt;
  const long long most = b.low - 1;
  return Interval{a.low < 0 ? -std::min(most, a.low <= -most ? most : -a.low) : 0,
                  a.high > 0 ? std::min(most, a.high) : 0};
}

// By one number of bits.
Found shifted(const Interval& a, const Interval& by, bool left) {
  if (by.low != by.high || by.low < 0 || by.low > 62) return std::nullopt;
  if (left) return product(a, {1LL << by.low, 1LL << by.low});
  return Interval{a.low >> by.low, a.high >> by.low};
}

// Where nothing is known of the other operand: & never exceeds one that is not negative.
Found bits_of_one(const Interval& known) {
  return known.low < 0 ? std::nullopt : Found({0, known.high});
}

Found bits_of_both(const Interval& a, const Interval& b) {
  if (a.low < 0 && b.low < 0) return std::nullopt;
  if (a.low < 0) return Interval{0, b.high};
  return Interval{0, b.low < 0 ? a.high : std::min(a.high, b.high)};
}

Found bits_of_either(const Interval& a, const Interval& b) {
  if (a.low < 0 || b.low < 0) return std::nullopt;
  long long all = 1;
  while (all <= std::max(a.high, b.high) && all < (1LL << 61)) all *= 2;
  return std::max(a.high, b.high) < all ? Found({0, all - 1}) : std::nullopt;
}

Found combined(clang::BinaryOperatorKind kind, const Interval& a, const Interval& b) {
  switch (kind) {
    case clang::BO_Add:
      return sum(a, b);
    case clang::BO_Sub:
      return difference(a, b);
    case clang::BO_Mul:
      return product(a, b);
    case clang::BO_Div:
      return quotient(a, b);
    case clang::BO_Rem:
      return remainder(a, b);
    case clang::BO_Shl:
    case clang::BO_Shr:
      return shifted(a, b, kind == clang::BO_Shl);
    case clang::BO_And:
      return bits_of_both(a, b);
    case clang::BO_Or:
    case clang::BO_Xor:
      return bits_of_either(a, b);
    default:
      return std::nullopt;
  }
}

}  // namespace

Intervals::Intervals(const clang::ASTContext& ast, const clang::FunctionDecl* function)
    : ast_(ast), written_(written_in(function->getBody())) {}

std::optional<Interval> Intervals::of(const clang::Expr* expression, const clang::VarDecl* zero) const {
  expression = expression->IgnoreParens();
  const clang::QualType type = expression->getType();
  if (!type->isIntegralOrEnumerationType()) return std::nullopt;
  clang::Expr::EvalResult constant;
  if (!expression->isValueDependent() && expression->EvaluateAsInt(constant, ast_) &&
      constant.Val.getInt().isRepresentableByInt64())
    return Interval{constant.Val.getInt().getExtValue(), constant.Val.getInt().getExtValue()};
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expression)) return of(full->getSubExpr(), zero);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression))
    return in_type(of(cast->getSubExpr(), zero), type);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) return of_variable(variable, zero);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) return of_unary(*unary, zero);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) return of_binary(*binary, zero);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
    return hull(of(choice->getTrueExpr(), zero), of(choice->getFalseExpr(), zero));
  return of_type(type);
}

std::optional<Interval> Intervals::of_type(clang::QualType type) const {
  if (!type->isIntegralOrEnumerationType()) return std::nullopt;
  if (type->isBooleanType()) return Interval{0, 1};
  const auto bits = ast_.getTypeSize(type);
  if (type->isUnsignedIntegerOrEnumerationType()) return bits < 64 ? Found({0, (1LL << bits) - 1}) : std::nullopt;
  if (bits > 64) return std::nullopt;
  const long long most = bits == 64 ? std::numeric_limits<long long>::max() : (1LL << (bits - 1)) - 1;
  return Interval{-most - 1, most};
}

std::optional<Interval> Intervals::in_type(std::optional<Interval> value, clang::QualType type) const {
  const auto all = of_type(type);
  if (value && (all ? value->within(*all) : value->low >= 0 && ast_.getTypeSize(type) == 64)) return value;
  return all;
}

std::optional<Interval> Intervals::of_variable(const clang::VarDecl* variable, const clang::VarDecl* zero) const {
  if (variable == zero) return Interval{0, 0};
  const clang::QualType type = variable->getType();
  const bool set_once = variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
                        !written_.contains(variable) && !type->isReferenceType() && !type.isVolatileQualified();
  return in_type(set_once && variable->getInit() ? of(variable->getInit(), zero) : std::nullopt,
                 type.getNonReferenceType());
}

std::optional<Interval> Intervals::of_unary(const clang::UnaryOperator& operation, const clang::VarDecl* zero) const {
  if (operation.getOpcode() == clang::UO_LNot) return Interval{0, 1};
  const auto value = of(operation.getSubExpr(), zero);
  Found result;
  if (operation.getOpcode() == clang::UO_Plus) result = value;
  if (value && operation.getOpcode() == clang::UO_Minus) result = difference({0, 0}, *value);
  if (value && operation.getOpcode() == clang::UO_Not) result = difference({-1, -1}, *value);
  return in_type(result, operation.getType());
}

std::optional<Interval> Intervals::of_binary(const clang::BinaryOperator& operation, const clang::VarDecl* zero) const {
  if (operation.isComparisonOp() && operation.getOpcode() != clang::BO_Cmp) return Interval{0, 1};
  if (operation.isLogicalOp()) return Interval{0, 1};
  if (operation.getOpcode() == clang::BO_Comma) return of(operation.getRHS(), zero);
  const auto left = of(operation.getLHS(), zero), right = of(operation.getRHS(), zero);
  if (operation.getOpcode() == clang::BO_And && (left || right) && !(left && right))
    return in_type(bits_of_one(left ? *left : *right), operation.getType());
  return in_type(left && right ? combined(operation.getOpcode(), *left, *right) : std::nullopt, operation.getType());
}

}  // namespace hone::frontend
