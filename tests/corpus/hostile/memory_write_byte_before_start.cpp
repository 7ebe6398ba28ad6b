// kernel: shade
// verdict: verify "one element before the start of dst"
// tries: to write one byte in front of its output
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  dst[-1] = 0;
  for (int i = 0; i < n; ++i) dst[i] = static_cast<unsigned char>((src[i] * src[i] * (gain & 255) / 255 + 127) / 255);
}
