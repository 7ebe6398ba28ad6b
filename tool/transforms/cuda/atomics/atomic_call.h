// Calls of atomicAdd() and the like whose result nobody uses: what can be gathered before it is written.
#pragma once

#include <string>
#include <vector>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

struct AtomicCall {
  const clang::CallExpr* call = nullptr;
  const clang::Expr* address = nullptr;
  const clang::Expr* value = nullptr;
  clang::QualType type;                      // of what is changed
  const clang::ParmVarDecl* base = nullptr;  // the kernel's parameter that the address starts from; null: another
  const clang::Expr* offset = nullptr;       // &base[offset], base + offset; null: base itself
  const clang::Stmt* statement = nullptr;    // the call as a statement
};

// The additions of a kernel's body; those whose result is used are left out.
std::vector<AtomicCall> atomic_additions(const KernelContext& context);
// Is there an atomic operation in the body that is none of these?
bool has_other_atomics(const KernelContext& context, const std::vector<AtomicCall>& known);

}  // namespace hone::frontend
