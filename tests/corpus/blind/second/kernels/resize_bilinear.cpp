// A grey image to another size, corners onto corners: positions in 16 fractional bits, weights in 8.
#pragma hone kernel in(src[0:sh][0:sw]) out(dst[0:dh][0:dw]) problem(sw = 200, sh = 120, dw = 320, dh = 180) \
    problem(sw = 320, sh = 180, dw = 133, dh = 90) requires(sw > 0 && sh > 0)
void resize_bilinear(const unsigned char* src, unsigned char* dst, int sw, int sh, int dw, int dh) {
  if (sw < 1 || sh < 1) return;
  const long long stepx = dw > 1 ? (sw - 1LL) * 65536 / (dw - 1) : 0, stepy = dh > 1 ? (sh - 1LL) * 65536 / (dh - 1) : 0;
  for (int y = 0; y < dh; ++y)
    for (int x = 0; x < dw; ++x) {
      const long long px = x * stepx, py = y * stepy;
      const int x0 = static_cast<int>(px >> 16), y0 = static_cast<int>(py >> 16);
      const int x1 = x0 + 1 < sw ? x0 + 1 : x0, y1 = y0 + 1 < sh ? y0 + 1 : y0;
      const int wx = px >> 8 & 255, wy = py >> 8 & 255;
      const int top = src[y0 * sw + x0] * (256 - wx) + src[y0 * sw + x1] * wx;
      const int bottom = src[y1 * sw + x0] * (256 - wx) + src[y1 * sw + x1] * wx;
      dst[y * dw + x] = static_cast<unsigned char>((top * (256 - wy) + bottom * wy + 32768) >> 16);
    }
}
