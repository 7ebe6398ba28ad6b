// kernel: shade
// verdict: verify "expected"
// tries: to round a byte down instead of to the nearest
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  for (int i = 0; i < n; ++i) dst[i] = static_cast<unsigned char>((src[i] * src[i] * (gain & 255) / 255 + 126) / 255);
}
