// kernel: shade
// verdict: verify
// tries: an index of 16 bits: of 70000 pixels the last are never written
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  unsigned char table[256];
  for (int v = 0; v < 256; ++v) table[v] = static_cast<unsigned char>((v * v * (gain & 255) / 255 + 127) / 255);
  for (int i = 0; i < n; ++i) {
    const unsigned short k = static_cast<unsigned short>(i);
    dst[k] = table[src[k]];
  }
}
