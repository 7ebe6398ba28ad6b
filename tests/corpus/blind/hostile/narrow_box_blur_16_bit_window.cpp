// kernel: box_blur
// verdict: verify
// tries: a rolling sum of 16 bits, which holds 257 white pixels: bright rows under a larger radius wrap
void box_blur(const unsigned char* src, unsigned char* dst, int w, int h, int r) {
  if (r < 0) r = 0;
  if (r > w) r = w;
  for (int y = 0; y < h; ++y) {
    const unsigned char* s = src + static_cast<long>(y) * w;
    unsigned char* d = dst + static_cast<long>(y) * w;
    unsigned short sum = 0;
    unsigned count = 0;
    for (int i = 0; i < r && i < w; ++i) sum = static_cast<unsigned short>(sum + s[i]), ++count;
    for (int x = 0; x < w; ++x) {
      if (x + r < w) sum = static_cast<unsigned short>(sum + s[x + r]), ++count;
      if (x - r > 0) sum = static_cast<unsigned short>(sum - s[x - r - 1]), --count;
      d[x] = static_cast<unsigned char>((sum + count / 2) / count);
    }
  }
}
