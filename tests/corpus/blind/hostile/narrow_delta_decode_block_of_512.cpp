// kernel: delta_decode
// verdict: verify
// tries: running sums of 16 bits within blocks of 512: a block that climbs by more than 32767 (all 127) wraps
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
static inline void plain(const signed char* d, int* y, int n, unsigned value) {
  for (int i = 0; i < n; ++i) {
    value += static_cast<unsigned>(static_cast<int>(d[i]));
    y[i] = static_cast<int>(value);
  }
}
void delta_decode(const signed char* d, int* y, int n, int base) {
  unsigned value = static_cast<unsigned>(base);
  int i = 0;
  for (; i + 512 <= n; i += 512) {
    const __m128i wide = _mm_set1_epi32(static_cast<int>(value));
    __m128i carry = _mm_setzero_si128();
    for (int t = i; t < i + 512; t += 8) {
      const __m128i sums = _mm_add_epi16(prefix16(eight(d + t)), carry);
      put(y + t, sums, wide);
      carry = _mm_shuffle_epi32(_mm_shufflehi_epi16(sums, 0xFF), 0xFF);
    }
    value = static_cast<unsigned>(y[i + 511]);
  }
  plain(d + i, y + i, n - i, value);
}
