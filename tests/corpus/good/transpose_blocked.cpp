// kernel: transpose
// verdict: right
// tries: blocks of 32 by 32
#include <algorithm>
void transpose(const float* a, float* b, int h, int w) {
  for (int y0 = 0; y0 < h; y0 += 32)
    for (int x0 = 0; x0 < w; x0 += 32)
      for (int x = x0; x < std::min(w, x0 + 32); ++x)
        for (int y = y0; y < std::min(h, y0 + 32); ++y) b[x * h + y] = a[y * w + x];
}
