#include "filters.h"

namespace filters {

#pragma hone kernel in(src[0 : w * h]) out(dst[0 : w * h]) problem(w = 512, h = 512) problem(w = 641, h = 479) \
    name(blur)
void blur(const unsigned char* src, unsigned char* dst, int w, int h) {
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      int sum = 0, count = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          int yy = y + dy, xx = x + dx;
          if (yy >= 0 && yy < h && xx >= 0 && xx < w) {
            sum += src[yy * w + xx];
            ++count;
          }
        }
      }
      dst[y * w + x] = static_cast<unsigned char>(sum / count);
    }
  }
}

}  // namespace filters
