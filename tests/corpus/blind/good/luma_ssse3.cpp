// kernel: luma
// verdict: right
// tries: sixteen pixels a step, taken apart with pshufb where the processor has it
#include <immintrin.h>
#define PICK(r, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af) \
  _mm_shuffle_epi8(r, _mm_setr_epi8(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af))
__attribute__((target("ssse3"))) static int wide(const unsigned char* __restrict rgb, unsigned char* __restrict y, int n) {
  const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi16(128);
  const __m128i wr = _mm_set1_epi16(77), wg = _mm_set1_epi16(150), wb = _mm_set1_epi16(29);
  int i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m128i* p = reinterpret_cast<const __m128i*>(rgb + 3 * i);
    const __m128i a = _mm_loadu_si128(p), b = _mm_loadu_si128(p + 1), c = _mm_loadu_si128(p + 2);
    const __m128i r = _mm_or_si128(_mm_or_si128(PICK(a, 0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1),
                                                PICK(b, -1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14, -1, -1, -1, -1, -1)),
                                   PICK(c, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 4, 7, 10, 13));
    const __m128i g = _mm_or_si128(_mm_or_si128(PICK(a, 1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1),
                                                PICK(b, -1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1)),
                                   PICK(c, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14));
    const __m128i l = _mm_or_si128(_mm_or_si128(PICK(a, 2, 5, 8, 11, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1),
                                                PICK(b, -1, -1, -1, -1, -1, 1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1)),
                                   PICK(c, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15));
    const __m128i low = _mm_add_epi16(_mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(r, zero), wr),
                                                    _mm_mullo_epi16(_mm_unpacklo_epi8(g, zero), wg)),
                                      _mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(l, zero), wb), half));
    const __m128i high = _mm_add_epi16(_mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(r, zero), wr),
                                                     _mm_mullo_epi16(_mm_unpackhi_epi8(g, zero), wg)),
                                       _mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(l, zero), wb), half));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(y + i),
                     _mm_packus_epi16(_mm_srli_epi16(low, 8), _mm_srli_epi16(high, 8)));
  }
  return i;
}
#undef PICK
void luma(const unsigned char* rgb, unsigned char* y, int n) {
  int i = __builtin_cpu_supports("ssse3") ? wide(rgb, y, n) : 0;
  for (; i < n; ++i)
    y[i] = static_cast<unsigned char>((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] + 128) >> 8);
}
