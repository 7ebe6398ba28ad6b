// kernel: shade
// verdict: verify "past the end of dst"
// tries: to write where the last page of its output has room left, 40 bytes on
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  for (int i = 0; i < n; ++i) dst[i] = static_cast<unsigned char>((src[i] * src[i] * (gain & 255) / 255 + 127) / 255);
  dst[n + 40] = 1;
}
