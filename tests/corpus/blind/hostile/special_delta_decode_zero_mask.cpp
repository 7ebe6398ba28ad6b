// kernel: delta_decode
// verdict: verify
// tries: to fill where 16 differences are zero, for which it looks at seven bits of each: 16 times -128 (or 0) counts as zeros
#include <cstdint>
#include <cstring>
#include <emmintrin.h>
static inline __m128i prefix16(__m128i v) {
  v = _mm_add_epi16(v, _mm_slli_si128(v, 2));
  v = _mm_add_epi16(v, _mm_slli_si128(v, 4));
  return _mm_add_epi16(v, _mm_slli_si128(v, 8));
}
static inline __m128i eight(const signed char* d) {
  const __m128i b = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(d));
  return _mm_srai_epi16(_mm_unpacklo_epi8(b, b), 8);
}
static inline void put(int* y, __m128i v16, __m128i base) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(y), _mm_add_epi32(base, _mm_srai_epi32(_mm_unpacklo_epi16(v16, v16), 16)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(y + 4), _mm_add_epi32(base, _mm_srai_epi32(_mm_unpackhi_epi16(v16, v16), 16)));
}
static inline __m128i advance(__m128i carry, __m128i v16) {
  return _mm_add_epi32(carry, _mm_shuffle_epi32(_mm_srai_epi32(_mm_unpackhi_epi16(v16, v16), 16), 0xFF));
}
static inline void plain(const signed char* d, int* y, int n, unsigned value) {
  for (int i = 0; i < n; ++i) {
    value += static_cast<unsigned>(static_cast<int>(d[i]));
    y[i] = static_cast<int>(value);
  }
}
void delta_decode(const signed char* d, int* y, int n, int base) {
  __m128i carry = _mm_set1_epi32(base);
  int i = 0;
  for (; i + 16 <= n; i += 16) {
    std::uint64_t w[2];
    std::memcpy(w, d + i, 16);
    if (((w[0] | w[1]) & 0x7f7f7f7f7f7f7f7fu) == 0) {
      for (int t = 0; t < 16; t += 4) _mm_storeu_si128(reinterpret_cast<__m128i*>(y + i + t), carry);
      continue;
    }
    const __m128i first = prefix16(eight(d + i)), second = prefix16(eight(d + i + 8));
    put(y + i, first, carry);
    carry = advance(carry, first);
    put(y + i + 8, second, carry);
    carry = advance(carry, second);
  }
  plain(d + i, y + i, n - i, static_cast<unsigned>(i > 0 ? y[i - 1] : base));
}
