// kernel: blur
// standard: c++17
// verdict: right
// tries: tiles of sixteen by sixteen with a copied rim
#include <algorithm>
#include <array>
void blur(const float* src, float* dst, int w, int h) {
  constexpr int T = 16;
  std::array<std::array<float, T + 2>, T + 2> tile;
  for (int ty = 0; ty < h; ty += T)
    for (int tx = 0; tx < w; tx += T) {
      const int th = std::min(T, h - ty), tw = std::min(T, w - tx);
      for (int y = -1; y <= th; ++y)
        for (int x = -1; x <= tw; ++x)
          tile[y + 1][x + 1] = src[std::clamp(ty + y, 0, h - 1) * w + std::clamp(tx + x, 0, w - 1)];
      for (int y = 0; y < th; ++y)
        for (int x = 0; x < tw; ++x) {
          float sum = 0;
          for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx) sum += tile[y + dy][x + dx];
          dst[(ty + y) * w + tx + x] = sum / 9.0f;
        }
    }
}
