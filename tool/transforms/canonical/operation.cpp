#include "tool/transforms/canonical/operation.h"

namespace hone::frontend {
namespace {

Operation of_unary(const clang::UnaryOperator& unary) {
  const auto kind = clang::UnaryOperator::getOverloadedOperator(unary.getOpcode());
  return {kind, unary.getSubExpr(), nullptr, unary.isPostfix()};
}

Operation of_call(const clang::CXXOperatorCallExpr& call) {
  const auto kind = call.getOperator();
  const bool step = kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus;
  if (call.getNumArgs() == 1) return {kind, call.getArg(0)};
  if (call.getNumArgs() != 2) return {};
  return step ? Operation{kind, call.getArg(0), nullptr, true} : Operation{kind, call.getArg(0), call.getArg(1)};
}

// a != b, as C++20 writes it for itself where only == is there.
Operation of_rewritten(const clang::CXXRewrittenBinaryOperator& rewritten) {
  const auto form = rewritten.getDecomposedForm();
  return {clang::BinaryOperator::getOverloadedOperator(form.Opcode), form.LHS, form.RHS};
}

}  // namespace

const clang::Expr* as_operand(const clang::Expr* expression) {
  for (;;) {
    const clang::Expr* inner = expression->IgnoreUnlessSpelledInSource()->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(inner)) inner = cast->getSubExpr();
    if (inner == expression) return inner;
    expression = inner;
  }
}

Operation operation_of(const clang::Expr* expression) {
  expression = as_operand(expression);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) return of_unary(*unary);
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression)) return of_call(*call);
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(expression))
    return of_rewritten(*rewritten);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (!binary || binary->isPtrMemOp()) return {};
  return {clang::BinaryOperator::getOverloadedOperator(binary->getOpcode()), binary->getLHS(), binary->getRHS()};
}

const clang::VarDecl* named_variable(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(as_operand(expression));
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

}  // namespace hone::frontend
