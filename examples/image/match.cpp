#include "filters.h"

namespace filters {

#pragma hone kernel in(src[0 : w * h], pattern[0 : k * k]) out(score[0 : (w - k + 1) * (h - k + 1)]) \
    problem(w = 160, h = 160, k = 16) problem(w = 131, h = 97, k = 24) init(src : uniform(0, 255))   \
        init(pattern : uniform(0, 255)) tolerance(rtol = 1e-4) name(match)
void match(const float* src, const float* pattern, float* score, int w, int h, int k) {
  for (int y = 0; y < h - k + 1; ++y) {
    for (int x = 0; x < w - k + 1; ++x) {
      float sum = 0;
      for (int j = 0; j < k; ++j) {
        for (int i = 0; i < k; ++i) {
          float difference = src[(y + j) * w + x + i] - pattern[j * k + i];
          sum += difference * difference;
        }
      }
      score[y * (w - k + 1) + x] = sum;
    }
  }
}

}  // namespace filters
