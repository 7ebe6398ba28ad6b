// What of a called function's body the preprocessor leaves in, and whether that reads the same elsewhere.
#pragma once

#include <optional>
#include <vector>

#include "tool/transforms/calls/callee.h"

namespace hone::frontend {

// The lines of `#if` and its kin, and the branches that are not taken: what to leave out where the body is written
// elsewhere. nullopt: another directive stands in it, a macro that it uses is not the same at the end of the unit, or
// tokens do not tell which branches are taken.
std::optional<std::vector<TextRange>> left_out_of(const KernelContext& context, const Callee& callee);

}  // namespace hone::frontend
