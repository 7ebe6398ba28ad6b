// right: sorting-networks
// The median of nine pixels, by sorting them.
#include <cstdint>
void median_3x3(const uint8_t* in, uint8_t* out, int w, int h) {
  for (int y = 1; y < h - 1; ++y) {
    for (int x = 1; x < w - 1; ++x) {
      uint8_t window[9];
      int count = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) window[count++] = in[(y + dy) * w + x + dx];
      for (int i = 1; i < 9; ++i) {
        uint8_t v = window[i];
        int j = i - 1;
        while (j >= 0 && window[j] > v) {
          window[j + 1] = window[j];
          --j;
        }
        window[j + 1] = v;
      }
      out[y * w + x] = window[4];
    }
  }
}
