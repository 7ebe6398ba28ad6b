// The tremors that were found.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "recording.h"

namespace tremor {

struct Tremor {
  float similarity = 0;  // with the known one, up to 1
  float peak = 0;        // the largest motion
  float background = 0;  // the usual motion around it: the mean of its absolute values
};

using Catalog = std::map<std::size_t, Tremor>;  // by the place of their first sample

// The places where `score` is over `threshold`: of those closer than `apart` to each other, the best.
Catalog pick(const std::vector<float>& score, float threshold, std::size_t apart);

// Fills in the motion of each, which takes `length` samples, from the recording.
void measure(Catalog& catalog, const Recording& recording, std::size_t length);

}  // namespace tremor
