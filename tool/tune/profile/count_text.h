// Counts of what a kernel executes, as lines for a prompt. Pure.
//
// Notes and the memory across kernels go by its shares ("25% mispredicted", "6% miss the first-level cache and 5% the
// last"; tool/search/knowledge/classify.cpp).
#pragma once

#include <string>
#include <string_view>

#include "tool/model/execution_counts.h"

namespace hone::tune {

// A line on the whole call, then one for each line of `source` that takes at least a fiftieth of the instructions.
std::string executed(const ExecutionCounts& counts, std::string_view source);

}  // namespace hone::tune
