// Median of the 3x3 neighbourhood of each pixel of a grey image; the border is repeated outwards.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#pragma hone kernel in(src[0:h:src_pitch][0:w]) out(dst[0:h:dst_pitch][0:w]) \
    problem(w=176, h=144, src_pitch=192, dst_pitch=176) problem(w=37, h=23, src_pitch=37, dst_pitch=40) \
    requires(src_pitch >= w && dst_pitch >= w)
void median3x3(const uint8_t* src, int src_pitch, uint8_t* dst, int dst_pitch, int w, int h) {
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      uint8_t window[9];
      int n = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        const int yy = std::clamp(y + dy, 0, h - 1);
        for (int dx = -1; dx <= 1; ++dx) {
          const int xx = std::clamp(x + dx, 0, w - 1);
          window[n++] = src[static_cast<ptrdiff_t>(yy) * src_pitch + xx];
        }
      }
      std::nth_element(window, window + 4, window + 9);
      dst[static_cast<ptrdiff_t>(y) * dst_pitch + x] = window[4];
    }
  }
}
