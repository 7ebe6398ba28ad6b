// A grey image at half size, each pixel the rounded mean of 2x2, by two row pointers stepped by 2, that skip a row after each inner loop.
#include <cstdint>

#pragma hone kernel in(src[0:4*width*height]) out(dst[0:width*height]) problem(width=157, height=75)
void halve_image(const uint8_t* src, uint8_t* dst, int width, int height) {
  const int stride = 2 * width;
  const uint8_t* top = src;
  const uint8_t* bottom = src + stride;
  uint8_t* const dst_end = dst + width * height;
  while (dst < dst_end) {
    for (int x = width; x > 0; --x) {
      *dst++ = (uint8_t)((top[0] + top[1] + bottom[0] + bottom[1] + 2) >> 2);
      top += 2;
      bottom += 2;
    }
    top += stride;
    bottom += stride;
  }
}
