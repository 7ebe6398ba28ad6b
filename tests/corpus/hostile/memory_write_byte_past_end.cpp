// kernel: shade
// verdict: verify "one element past the end of dst"
// tries: to write one byte behind its output, which lies in the same word
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  for (int i = 0; i < n; ++i) dst[i] = static_cast<unsigned char>((src[i] * src[i] * (gain & 255) / 255 + 127) / 255);
  dst[n] = 0;
}
