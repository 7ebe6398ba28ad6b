// kernel: select_range
// verdict: right
// standard: c++20
// tries: eight rows become a byte of matches that is masked by the byte of the bit map; its set bits are written out one by one, so that nothing behind the last row is touched
#include <cstdint>
#include <emmintrin.h>

int select_range(const Column& c, int32_t lo, int32_t hi, uint32_t* rows) {
  const int32_t* v = c.values;
  const uint8_t* valid = c.valid;
  const int n = c.n;
  if (lo > hi) return 0;
  const __m128i low = _mm_set1_epi32(lo), high = _mm_set1_epi32(hi);
  uint32_t* to = rows;
  int i = 0;
  for (; i <= n - 8; i += 8) {
    const unsigned known = valid ? valid[i >> 3] : 255u;
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(v + i));
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(v + i + 4));
    const __m128i out = _mm_packs_epi32(_mm_or_si128(_mm_cmpgt_epi32(low, a), _mm_cmpgt_epi32(a, high)),
                                        _mm_or_si128(_mm_cmpgt_epi32(low, b), _mm_cmpgt_epi32(b, high)));
    unsigned m = known & ~static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(out, out)));
    while (m) {
      *to++ = static_cast<uint32_t>(i + __builtin_ctz(m));
      m &= m - 1;
    }
  }
  for (; i < n; ++i)
    if ((!valid || (valid[i >> 3] >> (i & 7) & 1)) && v[i] >= lo && v[i] <= hi) *to++ = static_cast<uint32_t>(i);
  return static_cast<int>(to - rows);
}
