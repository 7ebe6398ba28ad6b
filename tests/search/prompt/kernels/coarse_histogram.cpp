// right: histogram-copies
// How often each eighth of the range of bytes occurs.
#include <cstdint>
void coarse_histogram(const uint8_t* x, uint32_t* bins, int n) {
  for (int b = 0; b < 32; ++b) bins[b] = 0;
  for (int i = 0; i < n; ++i) {
    int bin = x[i] >> 3;
    bins[bin] = bins[bin] + 1;
  }
}
