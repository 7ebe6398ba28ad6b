// kernel: escape_counts
// verdict: right
// tries: four points of a row at once in two SSE2 registers, in the very roundings of the original
#include <emmintrin.h>
static inline int steps(double cr, double ci, int limit) {
  double zr = 0, zi = 0;
  int k = 0;
  while (k < limit) {
    const double rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4) break;
    zi = 2 * zr * zi + ci;
    zr = rr - ii + cr;
    ++k;
  }
  return k;
}
void escape_counts(int* count, int w, int h, int limit, double left, double top, double step) {
  const __m128d four = _mm_set1_pd(4);
  for (int y = 0; y < h; ++y) {
    const double ci = top + y * step;
    const __m128d im = _mm_set1_pd(ci);
    int* row = count + static_cast<long>(y) * w;
    int x = 0;
    for (; x + 4 <= w; x += 4) {
      const __m128d ca = _mm_set_pd(left + (x + 1) * step, left + x * step);
      const __m128d cb = _mm_set_pd(left + (x + 3) * step, left + (x + 2) * step);
      __m128d ar = _mm_setzero_pd(), ai = ar, br = ar, bi = ar;
      __m128d ina = _mm_castsi128_pd(_mm_set1_epi32(-1)), inb = ina;  // Which points are still inside.
      __m128i na = _mm_setzero_si128(), nb = na;
      for (int k = 0; k < limit; ++k) {
        const __m128d arr = _mm_mul_pd(ar, ar), aii = _mm_mul_pd(ai, ai);
        const __m128d brr = _mm_mul_pd(br, br), bii = _mm_mul_pd(bi, bi);
        ina = _mm_and_pd(ina, _mm_cmpngt_pd(_mm_add_pd(arr, aii), four));
        inb = _mm_and_pd(inb, _mm_cmpngt_pd(_mm_add_pd(brr, bii), four));
        if (_mm_movemask_pd(_mm_or_pd(ina, inb)) == 0) break;
        na = _mm_sub_epi64(na, _mm_castpd_si128(ina));
        nb = _mm_sub_epi64(nb, _mm_castpd_si128(inb));
        ai = _mm_add_pd(_mm_mul_pd(_mm_add_pd(ar, ar), ai), im);
        bi = _mm_add_pd(_mm_mul_pd(_mm_add_pd(br, br), bi), im);
        ar = _mm_add_pd(_mm_sub_pd(arr, aii), ca);
        br = _mm_add_pd(_mm_sub_pd(brr, bii), cb);
      }
      const __m128 low = _mm_castsi128_ps(na), high = _mm_castsi128_ps(nb);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(row + x), _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0))));
    }
    for (; x < w; ++x) row[x] = steps(left + x * step, ci, limit);
  }
}
