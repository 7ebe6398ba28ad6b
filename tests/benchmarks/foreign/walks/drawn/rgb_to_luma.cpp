// Luma bytes of interleaved RGB pixels (fixed-point weights), by while (n--) and three reads off one walking pointer.
#include <cstdint>

#pragma hone kernel in(rgb[0:3*n]) out(luma[0:n]) problem(n=8000)
void rgb_to_luma(const uint8_t* rgb, uint8_t* luma, int n) {
  while (n--) {
    const unsigned r = *rgb++;
    const unsigned g = *rgb++;
    const unsigned b = *rgb++;
    *luma++ = static_cast<uint8_t>((77u * r + 150u * g + 29u * b + 128u) >> 8);
  }
}
