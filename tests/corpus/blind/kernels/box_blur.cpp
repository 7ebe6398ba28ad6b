// The mean over 2r+1 pixels of a row, of fewer at its ends, rounded to nearest.
#pragma hone kernel in(src[0:h][0:w]) out(dst[0:h][0:w]) problem(w = 320, h = 120, r = 5)
void box_blur(const unsigned char* src, unsigned char* dst, int w, int h, int r) {
  if (r < 0) r = 0;
  if (r > w) r = w;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const int from = x - r < 0 ? 0 : x - r, to = x + r >= w ? w - 1 : x + r;
      unsigned sum = 0;
      const unsigned count = static_cast<unsigned>(to - from + 1);
      for (int i = from; i <= to; ++i) sum += src[y * w + i];
      dst[y * w + x] = static_cast<unsigned char>((sum + count / 2) / count);
    }
}
