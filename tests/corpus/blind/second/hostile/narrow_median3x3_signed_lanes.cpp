// kernel: median3x3
// verdict: verify
// tries: the minima and maxima that SSE2 has for 16 bits, which are signed: pixels of 32768 and more count as the least
#include <algorithm>
#include <emmintrin.h>
namespace {
struct Lanes {
  __m128i v;
};
inline Lanes least(Lanes a, Lanes b) { return {_mm_min_epi16(a.v, b.v)}; }
inline Lanes most(Lanes a, Lanes b) { return {_mm_max_epi16(a.v, b.v)}; }
inline int least(int a, int b) { return a < b ? a : b; }
inline int most(int a, int b) { return a < b ? b : a; }
template <class T> inline T middle(T a, T b, T c) { return most(least(a, b), least(most(a, b), c)); }
template <class T> inline void sort3(T& a, T& b, T& c) {
  const T l = least(a, b), m = most(a, b), r = least(m, c);
  c = most(m, c);
  a = least(l, r);
  b = most(l, r);
}
template <class T> inline T of_nine(T (&v)[9]) {  // three columns
  sort3(v[0], v[1], v[2]);
  sort3(v[3], v[4], v[5]);
  sort3(v[6], v[7], v[8]);
  return middle(most(most(v[0], v[3]), v[6]), middle(v[1], v[4], v[7]), least(least(v[2], v[5]), v[8]));
}
}  // namespace
void median3x3(const unsigned short* src, unsigned short* dst, int w, int h) {
  for (int y = 0; y < h; ++y) {
    const unsigned short* row[3];
    for (int b = 0; b < 3; ++b) row[b] = src + static_cast<long>(std::min(std::max(y + b - 1, 0), h - 1)) * w;
    unsigned short* to = dst + static_cast<long>(y) * w;
    const auto one = [&](int x) {
      const int at[3] = {std::max(x - 1, 0), x, std::min(x + 1, w - 1)};
      int v[9];
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) v[3 * a + b] = row[b][at[a]];
      to[x] = static_cast<unsigned short>(of_nine(v));
    };
    if (w > 0) one(0);
    int x = 1;
    for (; x + 9 <= w; x += 8) {
      Lanes v[9];
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) v[3 * a + b].v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row[b] + x + a - 1));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + x), of_nine(v).v);
    }
    for (; x < w; ++x) one(x);
  }
}
