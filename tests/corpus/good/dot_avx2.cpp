// kernel: dot
// verdict: right
// needs: avx2
// tries: four doubles at a time, converted on load, where the processor has AVX2
#include <immintrin.h>
__attribute__((target("avx2,fma"))) static double wide(const float* x, const float* y, int n) {
  __m256d s0 = _mm256_setzero_pd(), s1 = _mm256_setzero_pd();
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    s0 = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm_loadu_ps(x + i)), _mm256_cvtps_pd(_mm_loadu_ps(y + i)), s0);
    s1 = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm_loadu_ps(x + i + 4)), _mm256_cvtps_pd(_mm_loadu_ps(y + i + 4)), s1);
  }
  double lanes[4];
  _mm256_storeu_pd(lanes, _mm256_add_pd(s0, s1));
  double sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (; i < n; ++i) sum += static_cast<double>(x[i]) * y[i];
  return sum;
}
static bool is_wide() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
double dot(const float* x, const float* y, int n) {
  if (is_wide()) return wide(x, y, n);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * y[i];
  return sum;
}
