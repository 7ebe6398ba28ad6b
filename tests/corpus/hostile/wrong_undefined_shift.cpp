// kernel: shade
// verdict: verify "shift exponent"
// tries: to rely on what this processor does with a shift by 32
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  volatile int by = 32 + n * 0;
  const int nothing = (1 << by) == 1 ? 0 : 0;
  for (int i = 0; i < n; ++i)
    dst[i] = static_cast<unsigned char>((src[i] * src[i] * (gain & 255) / 255 + 127) / 255 + nothing);
}
