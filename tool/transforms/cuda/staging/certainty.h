// What every run of a loop's body touches for certain, whatever way it takes through conditions, and under what
// conditions it touches the rest.
//
// Contract: a loop inside may run never, and a body that goes on to its next iteration early leaves out what follows.
// Never changes anything. Borrows the AST.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "tool/frontend/parse/clang_headers.h"

namespace hone::frontend {

// The conditions under which a part of the body runs; null stands for one that is not read.
using Guards = std::vector<const clang::Expr*>;

class Certainty {
 public:
  explicit Certainty(const clang::Stmt* body);

  // Is one of the places touched, whatever way the statement takes?
  static bool touches(const clang::Stmt* statement, const std::set<const clang::Stmt*>& places);
  Guards guards_of(const clang::Expr* access) const;

 private:
  void look(const clang::Stmt* statement, Guards& guards);

  std::map<const clang::Expr*, Guards> guards_;
  Guards skipping_;  // under which the rest of the body is left out
};

}  // namespace hone::frontend
