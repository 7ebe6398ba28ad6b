// The walk over code that knows where it gives up: in branches that end with `return`, as { complain(); return false; }
// and return complain().
#pragma once

#include <set>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {

class GivingUpVisitor : public SyntaxVisitor {
 public:
  bool VisitIfStmt(clang::IfStmt* choice) override;
  bool dataTraverseStmtPre(clang::Stmt* statement) override;

 protected:
  bool gives_up() const { return depth_ > 0; }  // what is visited now

 private:
  std::set<const clang::Stmt*> branches_;  // not reached yet
  unsigned depth_ = 0;
};

}  // namespace hone::frontend
