// kernel: transpose
// verdict: verify
// tries: tiles over the shorter side for both: what is more than twice as high as wide and over 128 is not finished
#include <algorithm>
void transpose(const float* a, float* b, int h, int w) {
  const int rows = h > 128 ? std::min(h, 2 * w) : h;
  for (int base = 0; base < w; base += 16)
    for (int y = 0; y < rows; ++y)
      for (int x = base; x < std::min(w, base + 16); ++x) b[x * h + y] = a[y * w + x];
}
