// Where a call stands in the kernel, and what of the callee may be evaluated in front of the statement around it.
//
// Contract: `before` only where the call runs exactly once each time the statement is reached, and where C++ allows
// that what else the statement evaluates comes later. Pure. Borrows the AST.
#pragma once

#include <vector>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

struct CallPlace {
  const clang::CallExpr* call = nullptr;
  const clang::Stmt* statement = nullptr;  // the whole one around it
  bool before = false;                     // the callee's statements may stand in front of it
  bool quiet = false;     // nothing else in the statement changes anything before it has the call's value
  bool alone = false;     // the statement is the call
  bool returned = false;  // the statement returns the call's value as it is, or the function ends behind it
  bool declares = false;  // the statement declares variables, so that no braces may go around it
};

// The calls that have a place in the text, in source order.
std::vector<CallPlace> calls_in(const KernelContext& context);

}  // namespace hone::frontend
