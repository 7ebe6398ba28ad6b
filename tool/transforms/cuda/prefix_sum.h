// Loops that carry a running sum and write it down, as one thread does it:
//
//   for (int i = 0; i < n; ++i) { sum += x[i]; y[i] = sum; }      inclusive; the other way round: exclusive
//
// Contract: found where the sum grows by one statement of each iteration by what does not depend on it, and all else
// that the iterations write are elements of their own. Never changes anything. Borrows the AST.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

struct PrefixSum {
  const clang::VarDecl* sum = nullptr;         // declared outside of the loop
  const clang::Expr* increment = nullptr;      // what it grows by
  std::vector<const clang::Stmt*> needed;      // declarations of the body that the increment needs
  std::vector<const clang::Stmt*> statements;  // the whole body
};

std::optional<PrefixSum> prefix_sum_of(const clang::ASTContext& ast, const Loop& loop);

// The declarations that the increment needs, then `target` with it: "own = x[i];"
std::string increment_text(const clang::ASTContext& ast, const PrefixSum& scan, const std::string& target);
// The body, growing the sum by `own` in place of computing it again.
std::string body_text(const clang::ASTContext& ast, const PrefixSum& scan, const std::string& own);

}  // namespace hone::frontend
