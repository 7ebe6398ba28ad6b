#include "tool/transforms/cuda/staging/block_value.h"

#include <algorithm>

#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

std::optional<long long> evaluated(const clang::ASTContext& ast, const clang::Expr* expression) {
  clang::Expr::EvalResult value;
  if (!expression || expression->isValueDependent() || !expression->getType()->isIntegerType() ||
      !expression->EvaluateAsInt(value, ast))
    return std::nullopt;
  return value.Val.getInt().getExtValue();
}

// Made of its parts alone, and the same whenever they are.
bool is_plain_operation(const clang::Stmt* node) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(node)) return !binary->isAssignmentOp();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node))
    return unary->isArithmeticOp() && !unary->isIncrementDecrementOp();
  return llvm::isa<clang::ParenExpr, clang::ConditionalOperator, clang::ConstantExpr, clang::ImplicitCastExpr,
                   clang::CStyleCastExpr, clang::CXXStaticCastExpr, clang::CXXFunctionalCastExpr>(node);
}

bool is_literal(const clang::Stmt* node) {
  return llvm::isa<clang::IntegerLiteral, clang::CXXBoolLiteralExpr, clang::UnaryExprOrTypeTraitExpr>(node);
}

}  // namespace

BlockValue::BlockValue(const KernelContext& context, LoopNest& nest, const Loop& loop)
    : context_(context), nest_(nest), loop_(loop), written_(written_in(context.kernel->getBody())) {}

bool BlockValue::read(const clang::Stmt* value) {
  if (!value) return false;
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(value))
    if (const auto index = builtin_index(expression)) return index->variable != "threadIdx";
  if (is_literal(value)) return true;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(value)) return read_variable(reference->getDecl());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value); binary && read_division(binary)) return true;
  return is_plain_operation(value) &&
         std::ranges::all_of(value->children(), [&](const clang::Stmt* part) { return read(part); });
}

bool BlockValue::read_variable(const clang::ValueDecl* declaration) {
  if (llvm::isa<clang::EnumConstantDecl>(declaration)) return true;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (!variable || !variable->getType()->isIntegerType()) return false;
  if (const Loop* counting = loop_of(variable)) {
    if (!is_outside(*counting)) use(variable, 1);
    return is_outside(*counting) || declares(loop_.statement, variable);
  }
  if (written_.contains(variable)) return false;
  if (llvm::isa<clang::ParmVarDecl>(variable)) return true;
  if (!variable->isLocalVarDecl()) return variable->isConstexpr() || variable->getType().isConstQualified();
  if (!variable->hasInit() || !read(variable->getInit())) return false;
  if (declares(loop_.body, variable) && std::ranges::find(locals_, variable) == locals_.end())
    locals_.push_back(variable);
  return true;
}

// lane / 4: the same for four lanes.
bool BlockValue::read_division(const clang::BinaryOperator* division) {
  const auto divisor =
      division->getOpcode() == clang::BO_Div ? evaluated(context_.ast, division->getRHS()) : std::nullopt;
  if (!divisor || *divisor < 2) return false;
  const clang::VarDecl* counter = counter_in(division->getLHS(), *divisor);
  const auto before = counters_;
  if (!counter || !read(division->getLHS())) return false;
  counters_ = before;  // the dividend is used for nothing else here
  use(counter, *divisor);
  return true;
}

// The counter that a dividend is, give or take multiples of the divisor; null: it is something else.
const clang::VarDecl* BlockValue::counter_in(const clang::Expr* dividend, long long divisor) {
  const clang::Expr* bare = dividend->IgnoreParenImpCasts();
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(bare); sum && sum->getOpcode() == clang::BO_Add) {
    const auto* left = llvm::dyn_cast<clang::DeclRefExpr>(sum->getLHS()->IgnoreParenImpCasts());
    const Loop* strips = left ? loop_of(left->getDecl()) : nullptr;
    const bool whole = strips && is_outside(*strips) && strips->step % divisor == 0 &&
                       strips->constant_lower(context_.ast).value_or(1) % divisor == 0;
    return whole ? counter_in(sum->getRHS(), divisor) : nullptr;
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (!variable) return nullptr;
  if (const Loop* counting = loop_of(variable))
    return !is_outside(*counting) && counting->constant_lower(context_.ast) == 0 && counting->step == 1 ? variable
                                                                                                        : nullptr;
  return variable->hasInit() && !written_.contains(variable) ? counter_in(variable->getInit(), divisor) : nullptr;
}

void BlockValue::use(const clang::VarDecl* counter, long long divisor) {
  const auto [at, is_new] = counters_.emplace(counter, divisor);
  if (!is_new && at->second != divisor) at->second = 1;
}

const Loop* BlockValue::loop_of(const clang::ValueDecl* counter) const {
  const auto& loops = nest_.loops();
  const auto found = std::ranges::find_if(
      loops, [&](const Loop& loop) { return loop.counted && loop.owns_variable && loop.variable == counter; });
  return found == loops.end() ? nullptr : &*found;
}

bool BlockValue::is_outside(const Loop& other) const {
  return &other != &loop_ && holds(other.statement, loop_.statement);
}

namespace {

// Do all threads go on from `around` to what it directly holds, as often?
bool is_passed_together(const KernelContext& context, LoopNest& nest, const clang::Stmt* around, const Loop& loop) {
  BlockValue value(context, nest, loop);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(around))
    return !branch->getInit() && !branch->getConditionVariable() && value.read(branch->getCond());
  if (llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(around)) return true;
  const Loop* other = nest.of(around);
  return other && other->counted && value.read(other->lower) && value.read(other->upper) &&
         all_of<clang::BreakStmt>(other->body).empty() && all_of<clang::ContinueStmt>(other->body).empty();
}

}  // namespace

const clang::Stmt* without_attributes(const clang::Stmt* statement) {
  const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement);
  return attributed ? attributed->getSubStmt() : statement;
}

bool is_run_together(const KernelContext& context, LoopNest& nest, const Loop& loop) {
  const clang::Stmt* at = context.kernel->getBody();
  if (!loop.counted || loop.in_lambda || returns_early(at)) return false;
  while (at != loop.statement) {
    const clang::Stmt* inside = nullptr;
    for (const clang::Stmt* child : at->children())
      if (child && holds(child, loop.statement)) inside = child;
    if (!inside || !is_passed_together(context, nest, at, loop)) return false;
    at = inside;
  }
  return is_passed_together(context, nest, at, loop);
}

}  // namespace hone::frontend
