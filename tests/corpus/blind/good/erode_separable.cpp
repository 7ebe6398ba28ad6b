// kernel: erode
// standard: c++17
// verdict: right
// tries: rows first, then columns, by way of an image on the heap
#include <algorithm>
#include <vector>
void erode(const unsigned char* src, unsigned char* dst, int h, int w, int r) {
  if (h < 1 || w < 1) return;
  const int across = std::clamp(r, 0, w - 1), down = std::clamp(r, 0, h - 1);
  std::vector<unsigned char> rows(static_cast<std::size_t>(h) * w);
  for (int y = 0; y < h; ++y) {
    const unsigned char* from = src + y * w;
    unsigned char* to = rows.data() + y * w;
    std::copy(from, from + w, to);
    for (int d = 1; d <= across; ++d) {
      for (int x = 0; x < w - d; ++x) to[x] = std::min(to[x], from[x + d]);
      for (int x = d; x < w; ++x) to[x] = std::min(to[x], from[x - d]);
    }
  }
  for (int y = 0; y < h; ++y) {
    unsigned char* to = dst + y * w;
    std::copy_n(rows.data() + y * w, w, to);
    for (int v = std::max(y - down, 0); v <= std::min(y + down, h - 1); ++v) {
      const unsigned char* from = rows.data() + v * w;
      for (int x = 0; x < w; ++x) to[x] = std::min(to[x], from[x]);
    }
  }
}
