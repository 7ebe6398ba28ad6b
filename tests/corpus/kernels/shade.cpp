// Bytes in, bytes out; integers must be equal.
#pragma hone kernel in(src[0:n]) out(dst[0:n]) problem(n = 60000, gain = 77)
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  for (int i = 0; i < n; ++i) dst[i] = static_cast<unsigned char>((src[i] * src[i] * (gain & 255) / 255 + 127) / 255);
}
