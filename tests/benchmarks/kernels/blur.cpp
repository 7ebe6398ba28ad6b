// 3x3 mean of a grey picture, with the test for the border inside the loops.

#pragma hone kernel in(src[0 : w * h]) out(dst[0 : w * h]) problem(w = 640, h = 480) problem(w = 641, h = 333)
void blur(const unsigned char* src, unsigned char* dst, int w, int h) {
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      int sum = 0;
      int count = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          int yy = y + dy;
          int xx = x + dx;
          if (yy >= 0 && yy < h && xx >= 0 && xx < w) {
            sum += src[yy * w + xx];
            ++count;
          }
        }
      }
      dst[y * w + x] = static_cast<unsigned char>(sum / count);
    }
  }
}
