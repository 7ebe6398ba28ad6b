#include "correlation.h"

#include <cmath>

namespace tremor {

void correlate(const float* signal, int n, const float* pattern, int m, float* score) {
  for (int i = 0; i + m <= n; ++i) {
    float both = 0, here = 0, there = 0;
    for (int j = 0; j < m; ++j) {
      both += signal[i + j] * pattern[j];
      here += signal[i + j] * signal[i + j];
      there += pattern[j] * pattern[j];
    }
    const float energy = here * there;
    score[i] = energy > 0 ? both / std::sqrt(energy) : 0;
  }
}

}  // namespace tremor
