// kernel: spline_eval
// verdict: right
// tries: eight points at once: binary searches by AVX2 gathers, coefficients likewise, FMA, where the processor has them
#include <immintrin.h>
__attribute__((target("avx2,fma"))) static inline __m256d value(const double* knot, const double* coef, __m256d v, __m128i p) {
  const __m256d t = _mm256_sub_pd(v, _mm256_i32gather_pd(knot, p, 8));
  const __m128i q = _mm_slli_epi32(p, 2);
  __m256d s = _mm256_i32gather_pd(coef + 3, q, 8);
  s = _mm256_fmadd_pd(s, t, _mm256_i32gather_pd(coef + 2, q, 8));
  s = _mm256_fmadd_pd(s, t, _mm256_i32gather_pd(coef + 1, q, 8));
  return _mm256_fmadd_pd(s, t, _mm256_i32gather_pd(coef, q, 8));
}
__attribute__((target("avx2,fma"))) static int wide(const double* knot, const double* coef, const double* x, double* y, int n,
                                                    int pieces) {
  const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256d va = _mm256_loadu_pd(x + i), vb = _mm256_loadu_pd(x + i + 4);
    __m128i pa = _mm_setzero_si128(), pb = pa;
    for (int length = pieces; length > 1;) {
      const int half = length / 2;
      const __m128i step = _mm_set1_epi32(half), ta = _mm_add_epi32(pa, step), tb = _mm_add_epi32(pb, step);
      const __m256d ka = _mm256_cmp_pd(_mm256_i32gather_pd(knot, ta, 8), va, _CMP_LE_OQ);
      const __m256d kb = _mm256_cmp_pd(_mm256_i32gather_pd(knot, tb, 8), vb, _CMP_LE_OQ);
      const __m128i ma = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(ka), even));
      const __m128i mb = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(kb), even));
      pa = _mm_blendv_epi8(pa, ta, ma);
      pb = _mm_blendv_epi8(pb, tb, mb);
      length -= half;
    }
    _mm256_storeu_pd(y + i, value(knot, coef, va, pa));
    _mm256_storeu_pd(y + i + 4, value(knot, coef, vb, pb));
  }
  return i;
}
void spline_eval(const double* knot, const double* coef, const double* x, double* y, int n, int pieces) {
  if (pieces < 1) return;
  int i = 0;
  // The gathers' subscripts have 32 bits.
  if (pieces < (1 << 29) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) i = wide(knot, coef, x, y, n, pieces);
  for (; i < n; ++i) {
    int p = 0;
    for (int length = pieces; length > 1;) {
      const int half = length / 2;
      if (knot[p + half] <= x[i]) p += half;
      length -= half;
    }
    const double* c = coef + 4 * p;
    const double t = x[i] - knot[p];
    y[i] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
  }
}
