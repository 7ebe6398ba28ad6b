// kernel: columns
// verdict: right
// tries: scratch of fixed size that each thread keeps, written before it is read
#include <algorithm>
void columns(const float* a, float* sums, int h, int w) {
  thread_local float room[128];
  for (int base = 0; base < w; base += 128) {
    const int width = std::min(128, w - base);
    for (int x = 0; x < width; ++x) room[x] = 0;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < width; ++x) room[x] += a[y * w + base + x];
    for (int x = 0; x < width; ++x) sums[base + x] = room[x];
  }
}
