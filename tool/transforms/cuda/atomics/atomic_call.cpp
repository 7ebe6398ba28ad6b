#include "tool/transforms/cuda/atomics/atomic_call.h"

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

llvm::StringRef name_of(const clang::CallExpr* call) {
  const auto* function = call->getDirectCallee();
  return function && function->getIdentifier() ? function->getName() : llvm::StringRef();
}

bool is_statement(const KernelContext& context, const clang::Stmt* node) {
  const auto parents = context.ast.getParents(*node);
  if (parents.empty()) return false;
  const auto* owner = parents[0].get<clang::Stmt>();
  if (const auto* wrapper = llvm::dyn_cast_or_null<clang::ExprWithCleanups>(owner))
    return is_statement(context, wrapper);
  if (llvm::isa_and_nonnull<clang::CompoundStmt>(owner)) return true;
  if (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(owner))
    return branch->getThen() == node || branch->getElse() == node;
  if (const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(owner)) return loop->getBody() == node;
  return false;
}

const clang::ParmVarDecl* parameter_of(const clang::Expr* pointer) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(pointer->IgnoreParenImpCasts());
  return reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
}

void read_address(AtomicCall& atomic) {
  const clang::Expr* address = atomic.address->IgnoreParenImpCasts();
  if ((atomic.base = parameter_of(address))) return;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(address);
      unary && unary->getOpcode() == clang::UO_AddrOf) {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(unary->getSubExpr()->IgnoreParens());
    if (!element) return;
    atomic.base = parameter_of(element->getBase());
    atomic.offset = element->getIdx();
  } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(address);
             sum && sum->getOpcode() == clang::BO_Add) {
    atomic.base = parameter_of(sum->getLHS());
    atomic.offset = sum->getRHS();
  }
}

}  // namespace

std::vector<AtomicCall> atomic_additions(const KernelContext& context) {
  std::vector<AtomicCall> found;
  for (const auto* call : all_of<clang::CallExpr>(context.kernel->getBody())) {
    if (name_of(call) != "atomicAdd" || call->getNumArgs() != 2 || !is_statement(context, call)) continue;
    AtomicCall atomic;
    atomic.call = call;
    atomic.statement = call;
    atomic.address = call->getArg(0);
    atomic.value = call->getArg(1);
    atomic.type = atomic.address->getType()->getPointeeType();
    if (atomic.type.isNull()) continue;
    read_address(atomic);
    found.push_back(atomic);
  }
  return found;
}

bool has_other_atomics(const KernelContext& context, const std::vector<AtomicCall>& known) {
  for (const auto* call : all_of<clang::CallExpr>(context.kernel->getBody()))
    if (name_of(call).starts_with("atomic") &&
        std::none_of(known.begin(), known.end(), [&](const AtomicCall& atomic) { return atomic.call == call; }))
      return true;
  return false;
}

}  // namespace hone::frontend
