// Which arguments of a call may be written where the callee uses them, since nothing that the callee does changes them.
//
// Contract: true only where that is known: constants, and the kernel's own variables that nothing else leads to. Pure.
#pragma once

#include <set>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

class StableValues {
 public:
  explicit StableValues(const KernelContext& context);

  // Its value is the same all the while.
  bool holds(const clang::Expr* value) const;
  // It names the same memory all the while.
  bool names(const clang::Expr* lvalue) const;
  bool is_private(const clang::ValueDecl* variable) const;  // nothing but its name leads to it

 private:
  std::set<const clang::ValueDecl*> reachable_;
};

}  // namespace hone::frontend
