// kernel: blur
// verdict: right
// tries: rows first, columns then, over a buffer of three rows
#include <algorithm>
#include <vector>
void blur(const float* src, float* dst, int w, int h) {
  if (w <= 0 || h <= 0) return;
  std::vector<float> sums(static_cast<std::size_t>(w) * h);
  for (int y = 0; y < h; ++y) {
    const float* row = src + y * w;
    for (int x = 0; x < w; ++x) sums[y * w + x] = row[std::max(x - 1, 0)] + row[x] + row[std::min(x + 1, w - 1)];
  }
  for (int y = 0; y < h; ++y) {
    const float *up = &sums[std::max(y - 1, 0) * w], *here = &sums[y * w], *down = &sums[std::min(y + 1, h - 1) * w];
    for (int x = 0; x < w; ++x) dst[y * w + x] = (up[x] + here[x] + down[x]) * (1.0f / 9.0f);
  }
}
