#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/edits.h"

namespace hone::frontend {
namespace {

bool same_lvalue(const clang::ASTContext& ast, const clang::Expr* left, const clang::Expr* right) {
  left = left->IgnoreParenImpCasts();
  right = right->IgnoreParenImpCasts();
  llvm::FoldingSetNodeID a, b;
  left->Profile(a, ast, true);
  right->Profile(b, ast, true);
  return a == b;
}

std::optional<ReductionKind> kind_of(clang::BinaryOperatorKind op) {
  switch (op) {
    case clang::BO_AddAssign:
    case clang::BO_SubAssign:
    case clang::BO_Add:
    case clang::BO_Sub:
      return ReductionKind::sum;
    case clang::BO_MulAssign:
    case clang::BO_Mul:
      return ReductionKind::product;
    case clang::BO_AndAssign:
    case clang::BO_And:
      return ReductionKind::bit_and;
    case clang::BO_OrAssign:
    case clang::BO_Or:
      return ReductionKind::bit_or;
    case clang::BO_XorAssign:
    case clang::BO_Xor:
      return ReductionKind::bit_xor;
    default:
      return std::nullopt;
  }
}

// min/max calls: std::max(m, x), fmaxf(m, x).
std::optional<ReductionKind> extremum_call(const clang::CallExpr* call) {
  auto* function = call->getDirectCallee();
  if (!function || call->getNumArgs() != 2 || !function->getIdentifier()) return std::nullopt;
  llvm::StringRef name = function->getName();
  if (name == "max" || name == "fmax" || name == "fmaxf") return ReductionKind::maximum;
  if (name == "min" || name == "fmin" || name == "fminf") return ReductionKind::minimum;
  return std::nullopt;
}

// v of v + x - y, which is computed from the left.
const clang::Expr* first_of_chain(const clang::BinaryOperator* chain, ReductionKind kind) {
  const clang::Expr* first = chain->getLHS();
  const auto* further = llvm::dyn_cast<clang::BinaryOperator>(first->IgnoreParenImpCasts());
  return further && kind_of(further->getOpcode()) == kind ? first_of_chain(further, kind) : first;
}

std::optional<Reduction> read_assignment(const clang::ASTContext& ast, const clang::BinaryOperator* assignment) {
  Reduction reduction;
  reduction.update = assignment;
  reduction.target = assignment->getLHS();
  reduction.mentions = {assignment->getLHS()};
  if (assignment->isCompoundAssignmentOp()) {
    auto kind = kind_of(assignment->getOpcode());
    if (!kind) return std::nullopt;
    reduction.kind = *kind;
    return reduction;
  }
  if (assignment->getOpcode() != clang::BO_Assign) return std::nullopt;
  const clang::Expr* value = assignment->getRHS()->IgnoreParenImpCasts();
  auto is_target = [&](const clang::Expr* part) { return same_lvalue(ast, part, assignment->getLHS()); };
  if (auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    auto kind = kind_of(binary->getOpcode());
    if (!kind) return std::nullopt;
    const clang::Expr* side = first_of_chain(binary, *kind);
    if (!is_target(side)) side = nullptr;
    if (!side && binary->getOpcode() != clang::BO_Sub && is_target(binary->getRHS())) side = binary->getRHS();
    if (!side) return std::nullopt;
    reduction.kind = *kind;
    reduction.mentions.push_back(side);
    return reduction;
  }
  if (auto* call = llvm::dyn_cast<clang::CallExpr>(value)) {
    auto kind = extremum_call(call);
    if (!kind) return std::nullopt;
    const clang::Expr* side = is_target(call->getArg(0))   ? call->getArg(0)
                              : is_target(call->getArg(1)) ? call->getArg(1)
                                                           : nullptr;
    if (!side) return std::nullopt;
    reduction.kind = *kind;
    reduction.mentions.push_back(side);
    return reduction;
  }
  if (auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
    auto* test = llvm::dyn_cast<clang::BinaryOperator>(choice->getCond()->IgnoreParenImpCasts());
    if (!test || !test->isRelationalOp()) return std::nullopt;
    bool greater = test->getOpcode() == clang::BO_GT || test->getOpcode() == clang::BO_GE;
    bool target_left = is_target(test->getLHS()), target_right = is_target(test->getRHS());
    bool target_true = is_target(choice->getTrueExpr()), target_false = is_target(choice->getFalseExpr());
    if (target_left == target_right || target_true == target_false) return std::nullopt;
    // m > x ? m : x and x > m ? x : m keep the larger.
    reduction.kind = greater == (target_left == target_true) ? ReductionKind::maximum : ReductionKind::minimum;
    reduction.mentions.push_back(target_left ? test->getLHS() : test->getRHS());
    reduction.mentions.push_back(target_true ? choice->getTrueExpr() : choice->getFalseExpr());
    return reduction;
  }
  return std::nullopt;
}

// if (x > m) m = x;
std::optional<Reduction> read_branch(const clang::ASTContext& ast, const clang::IfStmt* branch) {
  if (branch->getElse() || branch->hasInitStorage() || branch->getConditionVariable()) return std::nullopt;
  auto inside = statements_of(branch->getThen());
  auto* assignment = inside.size() == 1 ? llvm::dyn_cast<clang::BinaryOperator>(inside[0]) : nullptr;
  auto* test = llvm::dyn_cast<clang::BinaryOperator>(branch->getCond()->IgnoreParenImpCasts());
  if (!assignment || assignment->getOpcode() != clang::BO_Assign || !test || !test->isRelationalOp())
    return std::nullopt;
  bool greater = test->getOpcode() == clang::BO_GT || test->getOpcode() == clang::BO_GE;
  bool target_left = same_lvalue(ast, test->getLHS(), assignment->getLHS());
  bool target_right = same_lvalue(ast, test->getRHS(), assignment->getLHS());
  const clang::Expr* other = target_left ? test->getRHS() : test->getLHS();
  if (target_left == target_right || !same_lvalue(ast, other, assignment->getRHS())) return std::nullopt;
  Reduction reduction;
  reduction.update = branch;
  reduction.target = assignment->getLHS();
  reduction.kind = greater != target_left ? ReductionKind::maximum : ReductionKind::minimum;
  reduction.mentions = {assignment->getLHS(), target_left ? test->getLHS() : test->getRHS()};
  return reduction;
}

void collect(const clang::ASTContext& ast, const clang::Stmt* statement, std::vector<Reduction>& found) {
  if (!statement) return;
  std::optional<Reduction> reduction;
  if (auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement); assignment && assignment->isAssignmentOp())
    reduction = read_assignment(ast, assignment);
  if (auto* increment = llvm::dyn_cast<clang::UnaryOperator>(statement);
      increment && increment->isIncrementDecrementOp()) {
    reduction.emplace();
    reduction->update = increment;
    reduction->target = increment->getSubExpr();
    reduction->mentions = {increment->getSubExpr()};
  }
  if (auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) reduction = read_branch(ast, branch);
  if (reduction) {
    found.push_back(*reduction);
    return;
  }
  for (const clang::Stmt* child : statement->children()) collect(ast, child, found);
}

}  // namespace

std::vector<Reduction> updates_in(const clang::ASTContext& ast, const clang::Stmt* statement) {
  std::vector<Reduction> found;
  collect(ast, statement, found);
  for (Reduction& reduction : found) reduction.variable = local_variable(reduction.target);
  return found;
}

std::vector<Reduction> reductions_of(const clang::ASTContext& ast, const Loop& loop) {
  std::vector<Reduction> found;
  const std::vector<Reduction> candidates = updates_in(ast, loop.body);
  const auto references = all_of<clang::DeclRefExpr>(loop.body);
  for (const Reduction& reduction : candidates) {
    if (reduction.variable) {
      if (reduction.variable == loop.variable || declares(loop.statement, reduction.variable)) continue;
      // Nothing else in the loop may look at it, other updates of its kind aside.
      std::size_t in_updates = 0;
      for (const Reduction& other : candidates)
        if (other.variable == reduction.variable && other.kind == reduction.kind) in_updates += other.mentions.size();
      const auto all = std::ranges::count_if(
          references, [&](auto* reference) { return reference->getDecl() == reduction.variable; });
      if (static_cast<std::size_t>(all) == in_updates) found.push_back(reduction);
      continue;
    }
    auto accesses = accesses_in(ast, reduction.target);
    if (accesses.empty() || !accesses[0].base || !accesses[0].index || !loop.variable) continue;
    if (accesses[0].expression != reduction.target->IgnoreParens()) continue;
    bool moved = false;
    for (auto* reference : all_of<clang::DeclRefExpr>(reduction.target)) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (variable && (variable == loop.variable || declares(loop.statement, variable) ||
                       writes_variable(loop.statement, variable)))
        moved = true;
    }
    if (!moved) found.push_back(reduction);
  }
  return found;
}

bool likely_independent(const clang::ASTContext& ast, const Loop& loop) {
  if (!loop.counted) return false;
  auto reductions = reductions_of(ast, loop);
  // Locals from outside that the body changes carry something over, reductions aside.
  for (auto* reference : all_of<clang::DeclRefExpr>(loop.body)) {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || declares(loop.statement, variable) || !writes_variable(loop.body, variable)) continue;
    bool reduced =
        std::any_of(reductions.begin(), reductions.end(), [&](const Reduction& r) { return r.variable == variable; });
    if (!reduced && !variable->getType()->isPointerType()) return false;
  }
  auto accesses = accesses_in(ast, loop.body);
  for (const Access& write : accesses) {
    if (!write.writes) continue;
    if (!write.base || !write.index) return false;
    bool reduced = std::any_of(reductions.begin(), reductions.end(), [&](const Reduction& r) {
      return std::find(r.mentions.begin(), r.mentions.end(), write.expression) != r.mentions.end();
    });
    if (reduced) continue;
    if (write.stride(loop.variable) == Stride::zero && !declares(loop.statement, write.base)) return false;
    for (const Access& other : accesses) {
      if (other.base != write.base || other.member != write.member) continue;
      if (declares(loop.statement, write.base)) continue;
      if (!other.index || !(*other.index == *write.index)) return false;
    }
  }
  return true;
}

}  // namespace hone::frontend
