// kernel: blur
// verdict: right
// tries: column sums in a heap array of its own
#include <algorithm>
#include <memory>
void blur(const float* src, float* dst, int w, int h) {
  if (w < 1 || h < 1) return;
  const auto column = std::make_unique<float[]>(static_cast<std::size_t>(w) + 2);
  for (int y = 0; y < h; ++y) {
    const float* rows[3] = {src + std::max(y - 1, 0) * w, src + y * w, src + std::min(y + 1, h - 1) * w};
    for (int x = 0; x < w; ++x) column[x + 1] = rows[0][x] + rows[1][x] + rows[2][x];
    column[0] = column[1];
    column[w + 1] = column[w];
    for (int x = 0; x < w; ++x) dst[y * w + x] = (column[x] + column[x + 1] + column[x + 2]) / 9.0f;
  }
}
