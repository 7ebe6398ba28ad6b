// kernel: conv_clamp
// verdict: right
// tries: each source row, drawn out at both ends, is weighted and added up in double; the border's rows several times
#include <algorithm>
#include <vector>
void conv_clamp(const float* __restrict src, const float* __restrict k, float* __restrict dst, int w, int h, int r) {
  if (w < 1 || h < 1) return;
  const int side = 2 * r + 1;
  std::vector<float> line(static_cast<std::size_t>(w) + 2 * r);
  std::vector<double> sums(w);
  for (int y = 0; y < h; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0);
    const int from = std::max(y - r, 0), to = std::min(y + r, h - 1);
    for (int yy = from; yy <= to; ++yy) {
      // The rows of weights that look at source row yy: one, but for the border's rows.
      const int low = yy == 0 ? 0 : yy - y + r, high = yy == h - 1 ? 2 * r : yy - y + r;
      const float* row = src + static_cast<long>(yy) * w;
      std::fill_n(line.begin(), r, row[0]);
      std::copy(row, row + w, line.begin() + r);
      std::fill_n(line.begin() + r + w, r, row[w - 1]);
      for (int v = low; v <= high; ++v)
        for (int u = 0; u < side; ++u) {
          const double weight = k[v * side + u];
          const float* at = line.data() + u;
          for (int x = 0; x < w; ++x) sums[x] += weight * at[x];
        }
    }
    float* out = dst + static_cast<long>(y) * w;
    for (int x = 0; x < w; ++x) out[x] = static_cast<float>(sums[x]);
  }
}
