// RGBA pixels laid over RGB pixels by their alpha, by a count that goes down, pointers stepped by 4 and 3 in the header, and an early continue.
#include <cstdint>

#pragma hone kernel in(src[0:4*count]) inout(dst[0:3*count]) problem(count=4003)
void blend_rgba_over(const uint8_t* src, uint8_t* dst, int count) {
  for (; count > 0; --count, src += 4, dst += 3) {
    const int alpha = src[3];
    if (alpha == 0) continue;
    const int keep = 255 - alpha;
    dst[0] = static_cast<uint8_t>((src[0] * alpha + dst[0] * keep + 127) / 255);
    dst[1] = static_cast<uint8_t>((src[1] * alpha + dst[1] * keep + 127) / 255);
    dst[2] = static_cast<uint8_t>((src[2] * alpha + dst[2] * keep + 127) / 255);
  }
}
