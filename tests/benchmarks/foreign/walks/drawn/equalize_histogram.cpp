// Histogram equalization of a grey image, by three loops in a row: count, accumulate to a table, look up; all by pointers up to an end.
#include <cstdint>

#pragma hone kernel in(src[0:n]) out(dst[0:n]) problem(n=10007)
void equalize_histogram(const uint8_t* src, uint8_t* dst, int n) {
  uint32_t hist[256] = {0};
  uint8_t lut[256];
  const uint8_t* const end = src + n;

  for (const uint8_t* p = src; p != end; ++p)
    ++hist[*p];

  const uint32_t* h = hist;
  while (h != hist + 256 && *h == 0)
    ++h;
  const uint32_t lowest = h != hist + 256 ? *h : 0;
  const uint32_t range = static_cast<uint32_t>(n) - lowest;

  uint8_t* t = lut;
  uint32_t below = 0;
  for (h = hist; h != hist + 256; ++h, ++t) {
    below += *h;
    if (range == 0 || below < lowest)
      *t = 0;
    else
      *t = static_cast<uint8_t>((static_cast<uint64_t>(below - lowest) * 255u + range / 2) / range);
  }

  for (const uint8_t* p = src; p != end; ++p)
    *dst++ = lut[*p];
}
