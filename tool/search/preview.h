// What one of a strategy's operators would ask for over given trials, outside of any search: to look at its prompt.
//
// The operator works on the best that there is: its parents are chosen as the strategy chooses them, what it repairs is
// the last failure, the technique it applies is the memory's most relevant one. What an adviser would have answered is
// missing. Pure; the same input gives the same request, whose number is 0.
#pragma once

#include <string_view>

#include "tool/base/result.h"
#include "tool/search/search.h"

namespace hone::search {

// `operator_name` may be a label as well ("mutation/profile"). `state` is the original's. Error: the strategy has no
// such operator, or there is nothing yet that it could work on.
Result<Request> preview(const Strategy& strategy, const Search& search, const KernelState& state,
                        std::string_view operator_name);

}  // namespace hone::search
