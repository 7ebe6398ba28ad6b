#include "tool/transforms/canonical/known_values.h"

#include <algorithm>

#include "tool/transforms/calls/sequence.h"
#include "tool/transforms/canonical/operation.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

// x.begin() and its kin, of a container that has a name.
bool is_of_container(const clang::ASTContext& ast, const clang::Expr* value) {
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(as_operand(value));
  return call && call->getNumArgs() == 0 && named_variable(call->getImplicitObjectArgument()) &&
         element_of_container(ast, call->getImplicitObjectArgument()->getType());
}

}  // namespace

KnownValues::KnownValues(const KernelContext& context, const Loop& loop)
    : ast_(context.ast), loop_(loop), stable_(context) {
  for (const auto* parameter : context.kernel->parameters()) ++declared_[parameter->getName()];
  for (const auto* local : declared_in(context.kernel->getBody()))
    if (local->getIdentifier()) ++declared_[local->getName()];
  for (const auto* expression : all_of<clang::Expr>(context.kernel->getBody())) {
    if (llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr, clang::FullExpr>(expression)) continue;
    const auto operation = operation_of(expression);
    const auto kind = operation.kind;
    const bool writes = kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus || kind == clang::OO_Equal ||
                        kind == clang::OO_PlusEqual || kind == clang::OO_MinusEqual || kind == clang::OO_StarEqual ||
                        kind == clang::OO_SlashEqual || kind == clang::OO_PercentEqual || kind == clang::OO_AmpEqual ||
                        kind == clang::OO_PipeEqual || kind == clang::OO_CaretEqual ||
                        kind == clang::OO_LessLessEqual || kind == clang::OO_GreaterGreaterEqual;
    if (const clang::VarDecl* variable = writes ? named_variable(operation.left) : nullptr)
      writes_[variable].push_back(expression);
  }
}

bool KnownValues::is_set_in_loop_alone(const clang::VarDecl* variable) const {
  const auto found = writes_.find(variable);
  return found == writes_.end() ||
         std::ranges::all_of(found->second, [&](const clang::Stmt* write) { return holds(loop_.statement, write); });
}

// No loop around this one leaves the variable's declaration out.
bool KnownValues::is_of_same_iteration(const clang::VarDecl* variable) const {
  for (const Loop* around = loop_.parent; around; around = around->parent)
    if (!declares(around->statement, variable)) return false;
  return true;
}

// Nothing but its names decides what it is.
bool KnownValues::is_made_of_names(const clang::Expr* value) const {
  if (stable_.holds(value) || is_of_container(ast_, value)) return true;
  const auto operation = operation_of(value);
  return operation.right &&
         (operation.is_sum() || operation.kind == clang::OO_Slash || operation.kind == clang::OO_Star) &&
         is_made_of_names(operation.left) && is_made_of_names(operation.right);
}

bool KnownValues::still_holds(const clang::Expr* value, bool same_iteration) const {
  if (!is_made_of_names(value)) return false;
  return std::ranges::all_of(all_of<clang::DeclRefExpr>(value), [&](const clang::DeclRefExpr* reference) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable) return true;
    // Another variable of its name may stand in between.
    const auto named = variable->getIdentifier() ? declared_.find(variable->getName()) : declared_.end();
    if (named != declared_.end() && named->second > 1) return false;
    return !writes_.contains(variable) || (same_iteration && is_set_in_loop_alone(variable));
  });
}

const clang::Expr* KnownValues::of(const clang::VarDecl* variable) const {
  const clang::Expr* value = variable->getInit();
  if (!variable->isLocalVarDecl() || !value || value->isValueDependent() || variable->isStaticLocal()) return nullptr;
  if (variable->getType()->isReferenceType() || variable->getType()->isArrayType()) return nullptr;
  const bool iterator = variable->getType()->isRecordType();  // which its own operators take by reference
  if ((!iterator && !stable_.is_private(variable)) || !is_set_in_loop_alone(variable)) return nullptr;
  // A shorter integer does not hold all of what it was set to.
  const clang::QualType from = as_operand(value)->getType();
  if (variable->getType()->isIntegerType() &&
      (!from->isIntegerType() || ast_.getTypeSize(variable->getType()) < ast_.getTypeSize(from)))
    return nullptr;
  if (ast_.getSourceManager().isBeforeInTranslationUnit(loop_.statement->getEndLoc(), variable->getLocation()))
    return nullptr;
  const bool same_iteration = is_of_same_iteration(variable);
  if (!same_iteration && writes_.contains(variable)) return nullptr;
  return still_holds(value, same_iteration) ? value : nullptr;
}

}  // namespace hone::frontend
