// A correlation of an image with a small square of weights; beyond the border stands the pixel at the border.
#include <algorithm>

#pragma hone kernel in(src[0:h][0:w], k[0:2 * r + 1][0:2 * r + 1]) out(dst[0:h][0:w]) problem(w = 200, h = 100, r = 2) \
    requires(r >= 0 && r <= 8) tolerance(rtol = 1e-4, atol = 3e-5)
void conv_clamp(const float* src, const float* k, float* dst, int w, int h, int r) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = 0;
      for (int v = -r; v <= r; ++v)
        for (int u = -r; u <= r; ++u) {
          const int yy = std::min(std::max(y + v, 0), h - 1), xx = std::min(std::max(x + u, 0), w - 1);
          sum += src[yy * w + xx] * k[(v + r) * (2 * r + 1) + u + r];
        }
      dst[y * w + x] = sum;
    }
}
