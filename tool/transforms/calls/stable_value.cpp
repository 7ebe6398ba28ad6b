#include "tool/transforms/calls/stable_value.h"

#include <algorithm>

#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

const clang::ValueDecl* named_by(const clang::Expr* lvalue) {
  if (const clang::VarDecl* local = local_behind(lvalue)) return local;
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(lvalue->IgnoreParens());
  return cast && cast->getCastKind() != clang::CK_LValueToRValue ? named_by(cast->getSubExpr()) : nullptr;
}

bool is_plain_type(clang::QualType type) {
  return !type.isVolatileQualified() && (type->isArithmeticType() || type->isPointerType() || type->isEnumeralType());
}

}  // namespace

StableValues::StableValues(const KernelContext& context) {
  const clang::Stmt* body = context.kernel->getBody();
  // Through a constant reference nobody writes.
  const auto note = [&](const clang::Expr* lvalue) {
    if (lvalue->getType().isConstQualified()) return;
    if (const clang::ValueDecl* variable = named_by(lvalue)) reachable_.insert(variable);
  };
  for (const auto* unary : all_of<clang::UnaryOperator>(body))
    if (unary->getOpcode() == clang::UO_AddrOf) note(unary->getSubExpr());
  for (const auto* call : all_of<clang::CallExpr>(body))
    for (const clang::Expr* argument : call->arguments())
      if (argument->isLValue()) note(argument);
  for (const auto* made : all_of<clang::CXXConstructExpr>(body))
    for (const clang::Expr* argument : made->arguments())
      if (argument->isLValue()) note(argument);
  for (const auto* statement : all_of<clang::DeclStmt>(body))
    for (const clang::Decl* one : statement->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable && variable->getType()->isReferenceType() && variable->getInit())
        note(variable->getInit());
  for (const auto* lambda : all_of<clang::LambdaExpr>(body))
    for (const auto& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        reachable_.insert(capture.getCapturedVar());
}

bool StableValues::is_private(const clang::ValueDecl* declared) const {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
  return variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
         !reachable_.contains(variable);
}

bool StableValues::holds(const clang::Expr* value) const {
  value = value->IgnoreParens();
  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr, clang::CharacterLiteral,
                clang::CXXNullPtrLiteralExpr>(value))
    return true;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    if (llvm::isa<clang::EnumConstantDecl>(reference->getDecl())) return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable->isConstexpr()) return is_plain_type(variable->getType());
    return is_private(reference->getDecl()) && is_plain_type(reference->getType());
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) return names(cast->getSubExpr());
    return is_plain_type(cast->getType()) && holds(cast->getSubExpr());
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (unary->getOpcode() == clang::UO_AddrOf) return names(unary->getSubExpr());
    return unary->isArithmeticOp() && !unary->isIncrementDecrementOp() && holds(unary->getSubExpr());
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value);
  return binary && !binary->isAssignmentOp() && !binary->isCommaOp() && !binary->isPtrMemOp() &&
         holds(binary->getLHS()) && holds(binary->getRHS());
}

bool StableValues::names(const clang::Expr* lvalue) const {
  lvalue = lvalue->IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(lvalue); cast && cast->getCastKind() == clang::CK_NoOp)
    return names(cast->getSubExpr());
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(lvalue))
    return llvm::isa<clang::VarDecl>(reference->getDecl());  // a reference names the same for ever, too
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(lvalue)) {
    if (!llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return false;
    if (llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())) return true;
    return member->isArrow() ? holds(member->getBase()) : names(member->getBase());
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue))
    return holds(element->getBase()) && holds(element->getIdx());
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(lvalue);
  return unary && unary->getOpcode() == clang::UO_Deref && holds(unary->getSubExpr());
}

}  // namespace hone::frontend
