// kernel: escape_counts
// verdict: right
// tries: eight points at once with AVX2 (and no FMA, which would round otherwise) where the processor has it
#include <immintrin.h>
static int steps(double cr, double ci, int limit) {
  double zr = 0, zi = 0;
  int k = 0;
  for (; k < limit; ++k) {
    const double rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4) break;
    zi = 2 * zr * zi + ci;
    zr = rr - ii + cr;
  }
  return k;
}
__attribute__((target("avx2"))) static int wide(int* row, int w, int limit, double left, double ci, double step) {
  const __m256d four = _mm256_set1_pd(4), im = _mm256_set1_pd(ci), by = _mm256_set1_pd(step), from = _mm256_set1_pd(left);
  int x = 0;
  for (; x + 8 <= w; x += 8) {
    const __m128i at = _mm_add_epi32(_mm_set1_epi32(x), _mm_setr_epi32(0, 1, 2, 3));
    const __m256d ca = _mm256_add_pd(from, _mm256_mul_pd(_mm256_cvtepi32_pd(at), by));
    const __m256d cb = _mm256_add_pd(from, _mm256_mul_pd(_mm256_cvtepi32_pd(_mm_add_epi32(at, _mm_set1_epi32(4))), by));
    __m256d ar = _mm256_setzero_pd(), ai = ar, br = ar, bi = ar;
    __m256d ina = _mm256_castsi256_pd(_mm256_set1_epi64x(-1)), inb = ina;
    __m256i na = _mm256_setzero_si256(), nb = na;
    for (int k = 0; k < limit; ++k) {
      const __m256d arr = _mm256_mul_pd(ar, ar), aii = _mm256_mul_pd(ai, ai);
      const __m256d brr = _mm256_mul_pd(br, br), bii = _mm256_mul_pd(bi, bi);
      ina = _mm256_and_pd(ina, _mm256_cmp_pd(_mm256_add_pd(arr, aii), four, _CMP_NGT_UQ));
      inb = _mm256_and_pd(inb, _mm256_cmp_pd(_mm256_add_pd(brr, bii), four, _CMP_NGT_UQ));
      if (_mm256_movemask_pd(_mm256_or_pd(ina, inb)) == 0) break;
      na = _mm256_sub_epi64(na, _mm256_castpd_si256(ina));
      nb = _mm256_sub_epi64(nb, _mm256_castpd_si256(inb));
      ai = _mm256_add_pd(_mm256_mul_pd(_mm256_add_pd(ar, ar), ai), im);
      bi = _mm256_add_pd(_mm256_mul_pd(_mm256_add_pd(br, br), bi), im);
      ar = _mm256_add_pd(_mm256_sub_pd(arr, aii), ca);
      br = _mm256_add_pd(_mm256_sub_pd(brr, bii), cb);
    }
    // The low words of four and four counts, in order.
    const __m256i pick = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    const __m256i a = _mm256_permutevar8x32_epi32(na, pick), b = _mm256_permutevar8x32_epi32(nb, pick);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(row + x), _mm256_blend_epi32(a, b, 0xF0));
  }
  return x;
}
void escape_counts(int* count, int w, int h, int limit, double left, double top, double step) {
  const bool fast = __builtin_cpu_supports("avx2");
  for (int y = 0; y < h; ++y) {
    int* row = count + static_cast<long>(y) * w;
    const double ci = top + y * step;
    int x = fast ? wide(row, w, limit, left, ci, step) : 0;
    for (; x < w; ++x) row[x] = steps(left + x * step, ci, limit);
  }
}
