// Scales of which the default tolerances are about a twentieth, for data on which an original may lose many digits of
// its own and nobody knows the truth: what is wrong by more is no rounding.
#pragma once

#include <vector>

#include "tool/judge/bench/bench.h"

namespace hone::judge {

// `of_grown`: a twentieth of so many elements, too, that their tolerances have grown.
Bench::Scales coarse_scales(const std::vector<View>& views, Bench::Scales scales, bool of_grown);

}  // namespace hone::judge
