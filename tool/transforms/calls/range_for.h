// Loops over ranges, with what they call in sight: begin(), end(), ++ and *.
//
//   for (float v : x) s += v;   →   const std::size_t count = x.size();
//                                   for (std::size_t i = 0; i < count; ++i) { float v = x[i]; s += v; }
//
// Contract: over a vector, std::array or span, which gets a name where it has none; the size is asked once, as the loop
// asks once for its end. Structured bindings become the members that they stand for. Pure. Borrows the AST.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/calls/stable_value.h"

namespace hone::frontend {

std::vector<const clang::CXXForRangeStmt*> loops_over_ranges(const KernelContext& context);

// The candidate with that loop by an index.
std::optional<std::string> by_index(const KernelContext& context, const clang::CXXForRangeStmt* loop);

}  // namespace hone::frontend
