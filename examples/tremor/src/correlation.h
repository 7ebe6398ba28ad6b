// How much a signal looks like a pattern.
#pragma once

namespace tremor {

// For each place of the pattern of `m` samples in the signal of `n`: Pearson's correlation with what is there, from -1
// to 1, and 0 where the signal is silent. `score` has n - m + 1 elements.
void correlate(const float* signal, int n, const float* pattern, int m, float* score);

}  // namespace tremor
