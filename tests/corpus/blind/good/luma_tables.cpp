// kernel: luma
// verdict: right
// tries: the three products from constexpr tables, four pixels a turn
namespace {
struct Tables {
  unsigned short r[256], g[256], b[256];
  constexpr Tables() : r(), g(), b() {
    for (int i = 0; i < 256; ++i) {
      r[i] = static_cast<unsigned short>(77 * i);
      g[i] = static_cast<unsigned short>(150 * i);
      b[i] = static_cast<unsigned short>(29 * i + 128);
    }
  }
};
constexpr Tables tables;
inline unsigned char one(const unsigned char* p) {
  return static_cast<unsigned char>((tables.r[p[0]] + tables.g[p[1]] + tables.b[p[2]]) >> 8);
}
}  // namespace
void luma(const unsigned char* __restrict rgb, unsigned char* __restrict y, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4, rgb += 12) {
    const unsigned char p = one(rgb), q = one(rgb + 3), r = one(rgb + 6), s = one(rgb + 9);
    y[i] = p, y[i + 1] = q, y[i + 2] = r, y[i + 3] = s;
  }
  for (; i < n; ++i, rgb += 3) y[i] = one(rgb);
}
