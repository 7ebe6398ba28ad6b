// kernel: shade
// verdict: right
// tries: a table of all 256 answers
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  unsigned char table[256];
  for (int v = 0; v < 256; ++v) table[v] = static_cast<unsigned char>((v * v * (gain & 255) / 255 + 127) / 255);
  for (int i = 0; i < n; ++i) dst[i] = table[src[i]];
}
