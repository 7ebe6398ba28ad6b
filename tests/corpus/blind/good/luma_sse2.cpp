// kernel: luma
// verdict: right
// tries: four pixels a step with pmaddwd, each loaded as four bytes, the last pixels one by one
#include <emmintrin.h>
#include <cstring>
static inline __m128i pixel(const unsigned char* p) {
  int v;
  std::memcpy(&v, p, 4);
  return _mm_cvtsi32_si128(v);
}
void luma(const unsigned char* rgb, unsigned char* y, int n) {
  const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi32(128);
  const __m128i weights = _mm_setr_epi16(77, 150, 29, 0, 77, 150, 29, 0);
  int i = 0;
  for (; i + 5 <= n; i += 4) {  // The fourth load takes a byte of the fifth pixel.
    const unsigned char* p = rgb + 3 * i;
    const __m128i a = _mm_unpacklo_epi8(_mm_unpacklo_epi32(pixel(p), pixel(p + 3)), zero);
    const __m128i b = _mm_unpacklo_epi8(_mm_unpacklo_epi32(pixel(p + 6), pixel(p + 9)), zero);
    const __m128 s = _mm_castsi128_ps(_mm_madd_epi16(a, weights)), t = _mm_castsi128_ps(_mm_madd_epi16(b, weights));
    const __m128i even = _mm_castps_si128(_mm_shuffle_ps(s, t, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i odd = _mm_castps_si128(_mm_shuffle_ps(s, t, _MM_SHUFFLE(3, 1, 3, 1)));
    __m128i sum = _mm_srli_epi32(_mm_add_epi32(_mm_add_epi32(even, odd), half), 8);
    sum = _mm_packs_epi32(sum, sum);
    sum = _mm_packus_epi16(sum, sum);
    const int four = _mm_cvtsi128_si32(sum);
    std::memcpy(y + i, &four, 4);
  }
  for (; i < n; ++i)
    y[i] = static_cast<unsigned char>((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] + 128) >> 8);
}
