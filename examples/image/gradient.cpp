#include "filters.h"

#include <cmath>

namespace filters {

#pragma hone kernel in(src[0 : w * h]) out(dst[0 : w * h]) problem(w = 512, h = 512) problem(w = 641, h = 479) \
    init(src : uniform(0, 255)) tolerance(rtol = 1e-5) name(gradient)
void gradient(const float* src, float* dst, int w, int h) {
  for (int x = 0; x < w; ++x) {
    for (int y = 0; y < h; ++y) {
      if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        dst[y * w + x] = 0;
      } else {
        float gx = src[(y - 1) * w + x + 1] - src[(y - 1) * w + x - 1] + 2 * (src[y * w + x + 1] - src[y * w + x - 1]) +
                   src[(y + 1) * w + x + 1] - src[(y + 1) * w + x - 1];
        float gy = src[(y + 1) * w + x - 1] - src[(y - 1) * w + x - 1] +
                   2 * (src[(y + 1) * w + x] - src[(y - 1) * w + x]) + src[(y + 1) * w + x + 1] -
                   src[(y - 1) * w + x + 1];
        dst[y * w + x] = std::sqrt(gx * gx + gy * gy);
      }
    }
  }
}

}  // namespace filters
