// Indices that loops clamp, as filters do which repeat a picture's border, and what must hold for a thread so that no
// clamp in any of its iterations changes anything:
//
//   for (int d = -r; d <= r; ++d) sum += x[min(max(i + d, 0), n - 1)];      i - r >= 0 && i + r <= n - 1
//
// Clamps are min, max and choices (`i < 0 ? 0 : i`), one within the other, that are linear in the counters of the loop
// and of those inside.
//
// Contract: where all tests of a clamp hold, it is its value in every iteration; never the other way round. Only clamps
// of the thread's own indices, whose bounds the loop leaves alone. Never changes anything.
#pragma once

#include <string>
#include <vector>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

struct Clamp {
  const clang::Expr* whole = nullptr;  // min(max(i + d, 0), n - 1)
  const clang::Expr* value = nullptr;  // i + d
  std::vector<std::string> tests;      // on names from outside of the loop
};

// The clamps in a loop's body, the outermost of each, in source order. None where copies of the loop would not do: its
// threads wait for each other.
std::vector<Clamp> clamps_in(const KernelContext& context, const Loop& loop);

// Each clamp by its value.
void take_off(Substitution& changes, const clang::ASTContext& ast, const Loop& loop, const std::vector<Clamp>& clamps);

}  // namespace hone::frontend
