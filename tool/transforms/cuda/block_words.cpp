#include "tool/transforms/cuda/block_words.h"

#include <algorithm>

#include "tool/frontend/parse/device_code.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

// v op= value, v = v op value
bool steps(const clang::ASTContext& ast, const clang::Stmt* statement, const clang::VarDecl* variable,
           clang::BinaryOperatorKind operation, long long value) {
  const auto* assignment = binary_of(statement);
  if (!assignment || !is_variable(assignment->getLHS(), variable)) return false;
  if (assignment->isCompoundAssignmentOp())
    return clang::BinaryOperator::getOpForCompoundAssignment(assignment->getOpcode()) == operation &&
           is_number(ast, assignment->getRHS(), value);
  const auto* right = assignment->getOpcode() == clang::BO_Assign ? binary_of(assignment->getRHS()) : nullptr;
  return right && right->getOpcode() == operation && is_variable(right->getLHS(), variable) &&
         is_number(ast, right->getRHS(), value);
}

}  // namespace

const clang::Expr* bare(const clang::Expr* expression) {
  return expression->IgnoreParenImpCasts();
}

const clang::BinaryOperator* binary_of(const clang::Stmt* statement) {
  const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(statement);
  return expression ? llvm::dyn_cast<clang::BinaryOperator>(bare(expression)) : nullptr;
}

const clang::VarDecl* local_of(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare(expression));
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->isLocalVarDecl() ? variable : nullptr;
}

bool is_variable(const clang::Expr* expression, const clang::ValueDecl* variable) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare(expression));
  return reference && reference->getDecl() == variable;
}

bool is_number(const clang::ASTContext& ast, const clang::Expr* expression, long long value) {
  clang::Expr::EvalResult result;
  return !expression->isValueDependent() && expression->getType()->isIntegerType() &&
         expression->EvaluateAsInt(result, ast) && result.Val.getInt().getExtValue() == value;
}

// threadIdx.x, or a local that holds it and nothing else.
bool is_thread(const KernelContext& context, const clang::Expr* expression) {
  const auto index = builtin_index(expression->IgnoreParenCasts());
  if (index) return index->variable == "threadIdx" && index->dimension == 'x';
  const clang::VarDecl* local = local_of(expression->IgnoreParenCasts());
  return local && local->hasInit() && !writes_variable(context.kernel->getBody(), local) &&
         is_thread(context, local->getInit());
}

bool is_barrier(const clang::Stmt* statement) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
  const auto* function = call ? call->getDirectCallee() : nullptr;
  return function && function->getIdentifier() && function->getName() == "__syncthreads";
}

bool halves(const clang::ASTContext& ast, const clang::Stmt* statement, const clang::VarDecl* variable) {
  return steps(ast, statement, variable, clang::BO_Div, 2) || steps(ast, statement, variable, clang::BO_Shr, 1);
}

bool doubles(const clang::ASTContext& ast, const clang::Stmt* statement, const clang::VarDecl* variable) {
  return steps(ast, statement, variable, clang::BO_Mul, 2) || steps(ast, statement, variable, clang::BO_Shl, 1);
}

// The larger side of a < b, b > a; nullptr: another comparison.
const clang::Expr* bound_over(const clang::Expr* test, const std::function<bool(const clang::Expr*)>& lesser) {
  const auto* comparison = binary_of(test);
  if (!comparison) return nullptr;
  if (comparison->getOpcode() == clang::BO_LT && lesser(comparison->getLHS())) return comparison->getRHS();
  if (comparison->getOpcode() == clang::BO_GT && lesser(comparison->getRHS())) return comparison->getLHS();
  return nullptr;
}

bool is_shared(const KernelContext& context, const clang::ValueDecl* declaration) {
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(declaration);
  if (!variable || llvm::isa<clang::ParmVarDecl>(variable)) return false;
  if (is_shared_memory(*variable)) return true;
  if (!variable->getType()->isPointerType() || !variable->hasInit() ||
      writes_variable(context.kernel->getBody(), variable))
    return false;
  const auto named = all_of<clang::DeclRefExpr>(variable->getInit());
  return std::ranges::any_of(named, [&](const auto* each) { return is_shared(context, each->getDecl()); });
}

std::optional<long long> value_for_block(const clang::ASTContext& ast, const clang::Expr* expression,
                                         std::optional<long long> block) {
  if (!expression || expression->isValueDependent() || !expression->getType()->isIntegerType()) return std::nullopt;
  expression = expression->IgnoreParenCasts();
  clang::Expr::EvalResult value;
  if (expression->EvaluateAsInt(value, ast)) return value.Val.getInt().getExtValue();
  if (const auto index = builtin_index(expression))
    return index->variable == "blockDim" && index->dimension == 'x' ? block : std::nullopt;
  const auto* operation = binary_of(expression);
  if (!operation) return std::nullopt;
  const auto left = value_for_block(ast, operation->getLHS(), block),
             right = value_for_block(ast, operation->getRHS(), block);
  if (!left || !right || *right < 1 || *right > 32) return std::nullopt;
  if (operation->getOpcode() == clang::BO_Div) return *left / *right;
  if (operation->getOpcode() == clang::BO_Shr && *right < 32) return *left >> *right;
  return std::nullopt;
}

std::optional<long long> threads_along_x(const KernelContext& context) {
  const auto launch = launch_of(context);
  const auto shape = launch ? constant_shape(context, *launch, 1) : std::nullopt;
  return shape && (*shape)[1] == 1 && (*shape)[2] == 1 ? std::optional((*shape)[0]) : std::nullopt;
}

}  // namespace hone::frontend
