#include "tool/transforms/canonical/walk_text.h"

#include <algorithm>
#include <cctype>

#include "tool/transforms/canonical/operation.h"

namespace hone::frontend {
namespace {

bool is_through(const clang::Stmt* node) {
  return llvm::isa<clang::ImplicitCastExpr, clang::FullExpr, clang::MaterializeTemporaryExpr>(node);
}

}  // namespace

Surroundings around(const KernelContext& context, const clang::Expr* expression) {
  Surroundings found{expression, nullptr};
  const clang::Stmt* node = expression;
  for (;;) {
    const auto parents = context.ast.getParents(*node);
    const clang::Stmt* parent = parents.empty() ? nullptr : parents[0].get<clang::Stmt>();
    if (!parent) return found;
    if (llvm::isa<clang::ParenExpr>(parent))
      found.whole = llvm::cast<clang::Expr>(parent);
    else if (!is_through(parent)) {
      found.parent = parent;
      return found;
    }
    node = parent;
  }
}

bool binds_sums(const clang::Stmt* parent, const clang::Expr* child) {
  const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(parent);
  if (!expression || llvm::isa<clang::CallExpr, clang::InitListExpr, clang::CXXConstructExpr>(expression))
    return llvm::isa_and_nonnull<clang::CXXOperatorCallExpr>(parent);
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) return element->getIdx() != child;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (!binary) return true;
  if (binary->getOpcode() == clang::BO_Add) return false;
  if (binary->getOpcode() == clang::BO_Sub) return as_operand(binary->getLHS()) != as_operand(child);
  return !(binary->isComparisonOp() || binary->isAssignmentOp() || binary->isLogicalOp() || binary->isCommaOp());
}

Product product(const std::string& counter, const LinearSum& each) {
  if (each.is_number()) {
    const long long times = each.constant();
    return {times < 0, std::abs(times) == 1 ? counter : std::to_string(std::abs(times)) + " * " + counter};
  }
  if (each.is_one_name()) return {false, counter + " * " + each.text()};
  const LinearSum back = LinearSum::number(0) - each;
  if (back.is_one_name()) return {true, counter + " * " + back.text()};
  return {false, counter + " * (" + each.text() + ")"};
}

std::string sum_of(const LinearSum& first, const Product& product) {
  if (first.is_number() && first.constant() == 0) return (product.negative ? "-" : "") + product.text;
  if (first.is_number()) {
    const long long number = first.constant();
    if (product.negative) return std::to_string(number) + " - " + product.text;
    return product.text + (number < 0 ? " - " : " + ") + std::to_string(std::abs(number));
  }
  return first.text() + (product.negative ? " - " : " + ") + product.text;
}

bool is_one_token(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace hone::frontend
