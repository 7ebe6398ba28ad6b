// Sums of columns first, for each row of pixels.
#include <vector>
void box_filter(const float* from, float* to, int w, int h, int radius) {
  if (w <= 0 || h <= 0) return;
  std::vector<float> columns(static_cast<std::size_t>(w));
  const int side = 2 * radius + 1;
  const float share = 1.0f / static_cast<float>(side * side);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) columns[x] = 0.0f;
    for (int dy = -radius; dy <= radius; ++dy) {
      const float* row = from + held(y + dy, h - 1) * w;
      for (int x = 0; x < w; ++x) columns[x] += row[x];
    }
    for (int x = 0; x < w; ++x) {
      float sum = 0.0f;
      for (int dx = -radius; dx <= radius; ++dx) sum += columns[held(x + dx, w - 1)];
      to[y * w + x] = sum * share;
    }
  }
}
