// The median of the nine pixels around each one, of a sensor's image; the border's pixels are repeated outwards.
#include <algorithm>

#pragma hone kernel in(src[0:h][0:w]) out(dst[0:h][0:w]) problem(w = 320, h = 160)
void median3x3(const unsigned short* src, unsigned short* dst, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      unsigned short v[9];
      int count = 0;
      for (int b = y - 1; b <= y + 1; ++b)
        for (int a = x - 1; a <= x + 1; ++a)
          v[count++] = src[std::min(std::max(b, 0), h - 1) * w + std::min(std::max(a, 0), w - 1)];
      std::nth_element(v, v + 4, v + 9);
      dst[y * w + x] = v[4];
    }
}
