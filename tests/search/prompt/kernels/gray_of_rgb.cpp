// right: byte-widening
// The brightness of each pixel, of three bytes.
#include <cstdint>
void gray_of_rgb(const uint8_t* rgb, uint8_t* gray, int pixels) {
  for (int i = 0; i < pixels; ++i) {
    gray[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
  }
}
