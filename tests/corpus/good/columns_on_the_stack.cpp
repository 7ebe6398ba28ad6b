// kernel: columns
// verdict: right
// tries: a kilobyte of the stack for 256 sums at a time
#include <algorithm>
void columns(const float* a, float* sums, int h, int w) {
  constexpr int most = 256;
  float* own = static_cast<float*>(__builtin_alloca(sizeof(float) * most));
  for (int base = 0; base < w; base += most) {
    const int width = std::min(most, w - base);
    for (int x = 0; x < width; ++x) own[x] = 0;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < width; ++x) own[x] += a[y * w + base + x];
    std::copy(own, own + width, sums + base);
  }
}
