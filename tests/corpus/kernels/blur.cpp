// A stencil over two dimensions whose border is clamped.
#include <algorithm>

namespace image {

#pragma hone kernel in(src[0:h][0:w]) out(dst[0:h][0:w]) problem(w = 161, h = 67)
void blur(const float* src, float* dst, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += src[std::min(std::max(y + dy, 0), h - 1) * w + std::min(std::max(x + dx, 0), w - 1)];
      dst[y * w + x] = sum / 9.0f;
    }
}

}  // namespace image
