#include "tool/frontend/arguments/giving_up.h"

namespace hone::frontend {

using namespace clang;

namespace {

bool ends_with_return(const Stmt& branch) {
  const auto* block = llvm::dyn_cast<CompoundStmt>(&branch);
  return llvm::isa<ReturnStmt>(branch) || (block && !block->body_empty() && llvm::isa<ReturnStmt>(block->body_back()));
}

}  // namespace

bool GivingUpVisitor::VisitIfStmt(IfStmt* choice) {
  for (const Stmt* branch : {choice->getThen(), choice->getElse()})
    if (branch && ends_with_return(*branch)) branches_.insert(branch);
  return true;
}

bool GivingUpVisitor::dataTraverseStmtPre(Stmt* statement) {
  if (branches_.erase(statement) == 0) return true;
  ++depth_;
  TraverseStmt(statement);
  --depth_;
  return false;
}

}  // namespace hone::frontend
