// kernel: blur
// standard: c++17
// verdict: right
// tries: the inside without tests, the border with them
#include <algorithm>
namespace {
struct Picture {
  const float* pixels;
  int w, h;
  float operator()(int x, int y) const { return pixels[std::clamp(y, 0, h - 1) * w + std::clamp(x, 0, w - 1)]; }
};
float slow(const Picture& p, int x, int y) {
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) sum += p(x + dx, y + dy);
  return sum / 9.0f;
}
}  // namespace
void blur(const float* src, float* dst, int w, int h) {
  const Picture p{src, w, h};
  for (int y = 0; y < h; ++y) {
    if (y == 0 || y == h - 1 || w < 3) {
      for (int x = 0; x < w; ++x) dst[y * w + x] = slow(p, x, y);
      continue;
    }
    const float *a = src + (y - 1) * w, *b = a + w, *c = b + w;
    float* to = dst + y * w;
    to[0] = slow(p, 0, y), to[w - 1] = slow(p, w - 1, y);
    for (int x = 1; x < w - 1; ++x)
      to[x] = ((a[x - 1] + a[x] + a[x + 1]) + (b[x - 1] + b[x] + b[x + 1]) + (c[x - 1] + c[x] + c[x + 1])) / 9.0f;
  }
}
