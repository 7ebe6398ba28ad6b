// How far apart the rows of two loops must stay: a loop's row is what one of its iterations touches.
//
// Contract: an answer holds for all iterations and all values of the parameters; distinct base variables are taken as
// distinct memory, as the annotation promises. What is not understood is nullopt. Never changes anything.
#pragma once

#include <optional>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// Every dependence inside goes through memory that the analysis understands, and only `loop` and the loops inside
// count: rows of such loops are compared by row_distance().
bool has_plain_rows(const KernelContext& context, const Loop& loop);

// The least d such that row i of `before` and row i' of `after` have an element in common, which one of them writes,
// only where i - i' <= d: row i' may run as soon as row i' + d of `before` is done. At least -`most`; nullopt where it
// is more than `most`, unknown or without a bound. `around`: the loop around both, whose iterations may differ.
std::optional<int> row_distance(const KernelContext& context, const Loop& before, const Loop& after, const Loop* around,
                                int most);

// They touch an array in common, which one of them writes.
bool share_written_array(const KernelContext& context, const Loop& before, const Loop& after);

}  // namespace hone::frontend
