// The fastest of a search's candidates, by comparison with one another.
//
// A search compares each with the original. Where that is slow and varies from call to call, as kernels do that wait
// for memory, every figure is in doubt by the same tenth, and two candidates that differ by less come in any order.
// Pure but for what it is given.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/verdict.h"
#include "tool/tune/trial/search_outcome.h"

namespace hone::tune {

// How many times as fast the second source is as the first; nullopt: no more time, or it could not be told.
using Compare = std::function<std::optional<Speedup>(const std::string& leader, const std::string& other)>;

// Puts the best in front of `accepted` (fastest first): of two that are about equally fast the shorter one. Asks about
// those whose intervals overlap with the leader's, and about few; where that is narrow, about shorter ones alone.
void play_off(std::vector<Accepted>& accepted, const Compare& compare);

}  // namespace hone::tune
