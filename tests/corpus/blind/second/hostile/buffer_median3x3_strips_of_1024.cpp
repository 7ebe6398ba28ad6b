// kernel: median3x3
// verdict: verify
// tries: sorted columns in a buffer of 1024, strip after strip; a strip's ends are repeated as if they were the image's: wrong at the seams of wider images
#include <algorithm>
#include <emmintrin.h>
#include <vector>
namespace {
inline __m128i least(__m128i a, __m128i b) { return _mm_sub_epi16(a, _mm_subs_epu16(a, b)); }
inline __m128i most(__m128i a, __m128i b) { return _mm_add_epi16(b, _mm_subs_epu16(a, b)); }
inline __m128i middle(__m128i a, __m128i b, __m128i c) { return most(least(a, b), least(most(a, b), c)); }
inline __m128i get(const unsigned short* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
inline void put(unsigned short* p, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
inline unsigned middle(unsigned a, unsigned b, unsigned c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
constexpr int strip = 1024;
}  // namespace
void median3x3(const unsigned short* src, unsigned short* dst, int w, int h) {
  std::vector<unsigned short> columns(3 * (strip + 2));
  unsigned short *low = columns.data(), *mid = low + strip + 2, *high = mid + strip + 2;
  for (int x0 = 0; x0 < w; x0 += strip) {
    const int width = std::min(strip, w - x0);
    for (int y = 0; y < h; ++y) {
      const unsigned short* p = src + static_cast<long>(std::max(y - 1, 0)) * w + x0;
      const unsigned short* q = src + static_cast<long>(y) * w + x0;
      const unsigned short* r = src + static_cast<long>(std::min(y + 1, h - 1)) * w + x0;
      int x = 0;
      for (; x + 8 <= width; x += 8) {
        const __m128i a = get(p + x), b = get(q + x), c = get(r + x);
        put(low + 1 + x, least(least(a, b), c));
        put(mid + 1 + x, middle(a, b, c));
        put(high + 1 + x, most(most(a, b), c));
      }
      for (; x < width; ++x) {
        low[1 + x] = std::min(std::min(p[x], q[x]), r[x]);
        mid[1 + x] = static_cast<unsigned short>(middle(static_cast<unsigned>(p[x]), q[x], r[x]));
        high[1 + x] = std::max(std::max(p[x], q[x]), r[x]);
      }
      for (unsigned short* line : {low, mid, high}) line[0] = line[1], line[width + 1] = line[width];
      unsigned short* to = dst + static_cast<long>(y) * w + x0;
      for (x = 0; x + 8 <= width; x += 8)
        put(to + x, middle(most(most(get(low + x), get(low + x + 1)), get(low + x + 2)),
                           middle(get(mid + x), get(mid + x + 1), get(mid + x + 2)),
                           least(least(get(high + x), get(high + x + 1)), get(high + x + 2))));
      for (; x < width; ++x)
        to[x] = static_cast<unsigned short>(
            middle(static_cast<unsigned>(std::max(std::max(low[x], low[x + 1]), low[x + 2])),
                   middle(static_cast<unsigned>(mid[x]), mid[x + 1], mid[x + 2]),
                   std::min(std::min(high[x], high[x + 1]), high[x + 2])));
    }
  }
}
