// Scales of which the default tolerances are about a twentieth, for data on which an original may lose many digits of
// its own and nobody knows the truth: what is wrong by more is no rounding.
#pragma once

#include <vector>

#include "tool/judge/bench/bench.h"

namespace hone::judge {

// A twentieth of however many elements: what the default tolerances have grown by with their number is taken out.
Bench::Scales coarse_scales(const std::vector<View>& views, Bench::Scales scales);

}  // namespace hone::judge
