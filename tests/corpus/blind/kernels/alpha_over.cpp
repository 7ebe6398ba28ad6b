// RGBA bytes over RGBA bytes, straight alpha of the source, rounded to nearest.
#pragma hone kernel in(src[0:4*n]) inout(dst[0:4*n]) problem(n = 20000)
void alpha_over(const unsigned char* src, unsigned char* dst, int n) {
  for (int i = 0; i < n; ++i) {
    const int a = src[4 * i + 3];
    for (int c = 0; c < 3; ++c)
      dst[4 * i + c] = static_cast<unsigned char>((src[4 * i + c] * a + dst[4 * i + c] * (255 - a) + 127) / 255);
    dst[4 * i + 3] = static_cast<unsigned char>(a + (dst[4 * i + 3] * (255 - a) + 127) / 255);
  }
}
