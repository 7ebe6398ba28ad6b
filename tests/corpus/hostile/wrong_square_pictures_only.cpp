// kernel: blur
// standard: c++17
// verdict: verify "h="
// tries: to mix width and height up, which does not show on squares
#include <algorithm>
void blur(const float* src, float* dst, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += src[std::clamp(y + dy, 0, h - 1) * w + std::clamp(x + dx, 0, std::min(w, h) - 1)];
      dst[y * w + x] = sum / 9.0f;
    }
}
