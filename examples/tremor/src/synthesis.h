// Made-up ground motion, to try the program on.
#pragma once

#include <cstdint>
#include <vector>

#include "recording.h"

namespace tremor {

// A tremor of `seconds`: a burst that rings out.
Recording known_tremor(double rate, double seconds);

// Noise of the ground with a tremor at each of `places`, in seconds.
Recording ground(double rate, double seconds, const std::vector<double>& places, std::uint64_t seed);

}  // namespace tremor
