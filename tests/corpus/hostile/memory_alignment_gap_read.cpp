// kernel: shade
// verdict: verify "past the end of src"
// tries: to read where the last page of its input has room left, and to let what stands there decide
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  const int bias = src[n + 3] == 255 && src[n + 5] == 0;
  for (int i = 0; i < n; ++i)
    dst[i] = static_cast<unsigned char>((src[i] * src[i] * (gain & 255) / 255 + 127) / 255 + bias);
}
