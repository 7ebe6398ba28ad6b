// What lies between the elements that a clause names: rows that are further apart than they are long, elements before
// the start of an extent. A call leaves it alone, unless the original does not. Pure.
#pragma once

#include <cstddef>
#include <optional>

#include "tool/judge/data/comparison.h"

namespace hone::judge {

// The first element between those compared that only `got` has changed, or changed otherwise.
std::optional<std::size_t> wrong_in_gaps(const Comparison& comparison, const std::byte* expected, const std::byte* got);

}  // namespace hone::judge
