// The Paeth residue of each image row against the row above it, by four walking pointers, in two loops a row that share them.
#include <cstdint>
#include <cstdlib>

#pragma hone kernel in(src[0:(rows+1)*width*bpp]) out(dst[0:rows*width*bpp]) problem(width=61, rows=23, bpp=3)
void paeth_filter_rows(const uint8_t* src, uint8_t* dst, int width, int rows, int bpp) {
  const int rowbytes = width * bpp;
  if (rowbytes == 0) return;

  const uint8_t* up = src;
  const uint8_t* cur = src + rowbytes;
  while (rows-- > 0) {
    const uint8_t* left = cur;
    const uint8_t* corner = up;
    const uint8_t* lead_end = cur + bpp;
    const uint8_t* row_end = cur + rowbytes;

    // The first pixel has no neighbour to its left: the predictor is the byte above.
    while (cur < lead_end)
      *dst++ = static_cast<uint8_t>(*cur++ - *up++);

    while (cur < row_end) {
      const int a = *left++;
      const int b = *up++;
      const int c = *corner++;
      const int pa = std::abs(b - c);
      const int pb = std::abs(a - c);
      const int pc = std::abs(a + b - 2 * c);
      int pred = c;
      if (pa <= pb && pa <= pc)
        pred = a;
      else if (pb <= pc)
        pred = b;
      *dst++ = static_cast<uint8_t>(*cur++ - pred);
    }
  }
}
