// kernel: shade
// verdict: verify "one element past the end of src"
// tries: to read one byte behind its input
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  volatile unsigned char unused = src[n];
  (void)unused;
  for (int i = 0; i < n; ++i) dst[i] = static_cast<unsigned char>((src[i] * src[i] * (gain & 255) / 255 + 127) / 255);
}
