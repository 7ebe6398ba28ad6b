// kernel: conv_clamp
// verdict: right
// tries: a copy of the image with its border drawn out, then one pass over each row for each weight
#include <algorithm>
#include <vector>
void conv_clamp(const float* __restrict src, const float* __restrict k, float* __restrict dst, int w, int h, int r) {
  if (w < 1 || h < 1) return;
  const int side = 2 * r + 1;
  const long wide = static_cast<long>(w) + 2 * r, high = static_cast<long>(h) + 2 * r;
  std::vector<float> padded(static_cast<std::size_t>(wide * high));
  for (long y = 0; y < high; ++y) {
    const float* from = src + std::min(std::max(y - r, 0L), h - 1L) * w;
    float* to = padded.data() + y * wide;
    std::fill_n(to, r, from[0]);
    std::copy(from, from + w, to + r);
    std::fill_n(to + r + w, r, from[w - 1]);
  }
  for (int y = 0; y < h; ++y) {
    float* __restrict to = dst + static_cast<long>(y) * w;
    std::fill_n(to, w, 0.0f);
    for (int v = 0; v < side; ++v)
      for (int u = 0; u < side; ++u) {
        const float weight = k[v * side + u];
        const float* __restrict from = padded.data() + (y + v) * wide + u;
        for (int x = 0; x < w; ++x) to[x] += weight * from[x];
      }
  }
}
