#include "tool/transforms/calls/quiet.h"

#include <algorithm>
#include <set>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

using Functions = std::set<const clang::FunctionDecl*>;

bool is_pure(const clang::FunctionDecl* function, Functions& seen);

// Of a class of the library: what asks, and what leads to its elements.
bool is_quiet_member(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || !method->getParent()->isInStdNamespace()) return false;
  if (method->isConst() || method->getOverloadedOperator() == clang::OO_Subscript) return true;
  static const std::set<std::string> leading = {"begin", "end", "data", "front", "back"};
  return leading.contains(method->getNameAsString());
}

bool calls_purely(const clang::CallExpr* call, Functions& seen) {
  const clang::FunctionDecl* function = call->getDirectCallee();
  if (!function) return false;
  if (is_quiet_member(*function)) return true;
  if (!effects_of(call->getCallee()).calls_unknown && !function->isDefined()) {
    const bool known =
        function->getBuiltinID() != 0 || function->hasAttr<clang::ConstAttr>() || function->hasAttr<clang::PureAttr>();
    return known || function->isInStdNamespace();
  }
  return function->isInStdNamespace() || function->getBuiltinID() != 0 || is_pure(function, seen);
}

// `locals_too`: false where writing a local counts, too.
bool is_quiet(const clang::Stmt* statement, bool locals_may_change, Functions& seen) {
  if (!statement) return true;
  if (llvm::isa<clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThrowExpr, clang::AsmStmt, clang::StmtExpr,
                clang::AtomicExpr, clang::LambdaExpr, clang::GotoStmt, clang::CXXTryStmt>(statement))
    return false;
  const auto may_change = [&](const clang::Expr* lvalue) { return locals_may_change && local_behind(lvalue); };
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement))
    if (binary->isAssignmentOp() && !may_change(binary->getLHS())) return false;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement))
    if (unary->isIncrementDecrementOp() && !may_change(unary->getSubExpr())) return false;
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement))
    if (expression->getType().isVolatileQualified()) return false;
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(statement))
    if (!made->getConstructor()->isTrivial() && !made->getConstructor()->getParent()->isInStdNamespace()) return false;
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && !variable->hasLocalStorage())
        return false;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement); call && !calls_purely(call, seen)) return false;
  return std::ranges::all_of(statement->children(),
                             [&](const clang::Stmt* child) { return is_quiet(child, locals_may_change, seen); });
}

bool is_pure(const clang::FunctionDecl* function, Functions& seen) {
  const clang::FunctionDecl* definition = nullptr;
  if (!function->hasBody(definition)) return false;
  constexpr std::size_t most = 50;
  if (!seen.insert(definition->getCanonicalDecl()).second) return true;  // it is being looked at
  return seen.size() <= most && is_quiet(definition->getBody(), true, seen);
}

}  // namespace

bool is_quiet(const clang::Stmt* expression) {
  Functions seen;
  return is_quiet(expression, false, seen);
}

bool is_pure(const clang::FunctionDecl* function) {
  Functions seen;
  return is_pure(function, seen);
}

const clang::VarDecl* local_behind(const clang::Expr* lvalue) {
  lvalue = lvalue->IgnoreParens();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(lvalue)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType() ? variable : nullptr;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(lvalue))
    return member->isArrow() ? nullptr : local_behind(member->getBase());
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue)) {
    const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
    if (decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay) return local_behind(decay->getSubExpr());
  }
  return nullptr;
}

}  // namespace hone::frontend
