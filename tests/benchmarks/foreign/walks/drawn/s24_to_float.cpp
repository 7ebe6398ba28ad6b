// Packed little-endian 24-bit samples to floats in [-1, 1), by while (p < end) and a byte pointer stepped by 3.
#include <cstdint>

#pragma hone kernel in(src[0:3*n]) out(dst[0:n]) problem(n=12001)
void s24_to_float(const uint8_t* src, float* dst, int n) {
  const float scale = 1.0f / 8388608.0f;
  const uint8_t* end = src + 3 * n;
  while (src < end) {
    const uint32_t bits = (uint32_t)src[0] << 8 | (uint32_t)src[1] << 16 | (uint32_t)src[2] << 24;
    *dst++ = (float)((int32_t)bits >> 8) * scale;
    src += 3;
  }
}
