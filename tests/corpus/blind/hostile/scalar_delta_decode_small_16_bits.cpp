// kernel: delta_decode
// verdict: verify
// tries: everything in 16 bits where fewer than 256 differences cannot leave them, whatever they start from: wrong for a base of 100000
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
  int i = 0;
  if (n < 256) {
    __m128i carry = _mm_set1_epi16(static_cast<short>(base));
    for (; i + 8 <= n; i += 8) {
      const __m128i sums = _mm_add_epi16(prefix16(eight(d + i)), carry);
      put(y + i, sums, _mm_setzero_si128());
      carry = _mm_shuffle_epi32(_mm_shufflehi_epi16(sums, 0xFF), 0xFF);
    }
  } else {
    __m128i carry = _mm_set1_epi32(base);
    for (; i + 8 <= n; i += 8) {
      const __m128i sums = prefix16(eight(d + i));
      put(y + i, sums, carry);
      carry = advance(carry, sums);
    }
  }
  plain(d + i, y + i, n - i, static_cast<unsigned>(i > 0 ? y[i - 1] : base));
}
