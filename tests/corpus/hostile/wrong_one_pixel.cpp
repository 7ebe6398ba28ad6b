// kernel: blur
// standard: c++17
// verdict: verify "expected"
// tries: to get one corner of the border wrong
#include <algorithm>
void blur(const float* src, float* dst, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += src[std::clamp(y + dy, 0, h - 1) * w + std::clamp(x + dx, 0, w - 1)];
      dst[y * w + x] = sum / (x == w - 1 && y == h - 1 ? 8.0f : 9.0f);
    }
}
