// The inside by sums of columns, the border as ever.
static void slow(const unsigned char* src, unsigned char* dst, int w, int h, int x, int y) {
  int sum = 0, count = 0;
  for (int yy = y > 0 ? y - 1 : 0; yy <= y + 1 && yy < h; ++yy) {
    for (int xx = x > 0 ? x - 1 : 0; xx <= x + 1 && xx < w; ++xx) {
      sum += src[yy * w + xx];
      ++count;
    }
  }
  dst[y * w + x] = static_cast<unsigned char>(sum / count);
}
void blur(const unsigned char* src, unsigned char* dst, int w, int h) {
  for (int y = 0; y < h; ++y) {
    if (y == 0 || y == h - 1 || w < 3) {
      for (int x = 0; x < w; ++x) slow(src, dst, w, h, x, y);
      continue;
    }
    slow(src, dst, w, h, 0, y);
    const unsigned char *a = src + (y - 1) * w, *b = a + w, *c = b + w;
    int left = a[0] + b[0] + c[0], here = a[1] + b[1] + c[1];
    for (int x = 1; x < w - 1; ++x) {
      const int right = a[x + 1] + b[x + 1] + c[x + 1];
      dst[y * w + x] = static_cast<unsigned char>((left + here + right) / 9);
      left = here;
      here = right;
    }
    slow(src, dst, w, h, w - 1, y);
  }
}
