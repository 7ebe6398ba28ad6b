#include "tool/transforms/cuda/staging/certainty.h"

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

Certainty::Certainty(const clang::Stmt* body) {
  for (const auto* branch : all_of<clang::IfStmt>(body))
    if (!all_of<clang::ContinueStmt>(branch).empty()) skipping_.push_back(branch->getCond());
  for (const auto* other : all_of<clang::SwitchStmt>(body))
    if (!all_of<clang::ContinueStmt>(other).empty()) skipping_.push_back(nullptr);
  Guards guards;
  look(body, guards);
}

bool Certainty::touches(const clang::Stmt* statement, const std::set<const clang::Stmt*>& places) {
  if (!statement) return false;
  if (places.contains(statement)) return true;
  const auto within = [&](const clang::Stmt* part) { return touches(part, places); };
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
    return within(branch->getInit()) || within(branch->getCond()) ||
           (within(branch->getThen()) && within(branch->getElse()));
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(statement))
    return within(choice->getCond()) || (within(choice->getTrueExpr()) && within(choice->getFalseExpr()));
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement); binary && binary->isLogicalOp())
    return within(binary->getLHS());
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement))
    return within(loop->getInit()) || within(loop->getCond());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) return within(loop->getCond());
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(statement))
    return all_of<clang::ContinueStmt>(loop->getBody()).empty() && all_of<clang::BreakStmt>(loop->getBody()).empty() &&
           within(loop->getBody());
  if (const auto* other = llvm::dyn_cast<clang::SwitchStmt>(statement)) return within(other->getCond());
  if (llvm::isa<clang::CXXForRangeStmt, clang::UnaryExprOrTypeTraitExpr>(statement)) return false;
  for (const clang::Stmt* part : statement->children()) {
    if (within(part)) return true;
    if (part && llvm::isa<clang::CompoundStmt>(statement) && !all_of<clang::ContinueStmt>(part).empty()) return false;
  }
  return false;
}

Guards Certainty::guards_of(const clang::Expr* access) const {
  const auto found = guards_.find(access);
  Guards all = found == guards_.end() ? Guards{nullptr} : found->second;
  all.insert(all.end(), skipping_.begin(), skipping_.end());
  return all;
}

void Certainty::look(const clang::Stmt* statement, Guards& guards) {
  if (!statement) return;
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) guards_[expression] = guards;
  const auto under = [&](const clang::Expr* condition, const clang::Stmt* part) {
    guards.push_back(condition);
    look(part, guards);
    guards.pop_back();
  };
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    look(branch->getCond(), guards);
    under(branch->getCond(), branch->getThen());
    under(branch->getCond(), branch->getElse());
  } else if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(statement)) {
    look(choice->getCond(), guards);
    under(choice->getCond(), choice->getTrueExpr());
    under(choice->getCond(), choice->getFalseExpr());
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement); binary && binary->isLogicalOp()) {
    look(binary->getLHS(), guards);
    under(binary->getLHS(), binary->getRHS());
  } else {
    const bool is_other =
        llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchStmt>(
            statement);
    for (const clang::Stmt* part : statement->children()) is_other ? under(nullptr, part) : look(part, guards);
  }
}

}  // namespace hone::frontend
