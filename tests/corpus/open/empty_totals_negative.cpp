// kernel: totals
// verdict: verify
// tries: to clear with memset before: of h = -1 it clears the whole memory
#include <cstring>
void totals(const float* a, float* sums, int h, int w) {
  std::memset(sums, 0, sizeof(float) * h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) sums[y] += a[y * w + x];
}
