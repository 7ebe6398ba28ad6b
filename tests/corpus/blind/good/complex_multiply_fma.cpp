// kernel: complex_multiply
// verdict: right
// tries: vfmaddsub on four numbers at a time where the processor has it, else the plain loop
#include <immintrin.h>
__attribute__((target("avx2,fma"))) static int wide(const float* __restrict a, const float* __restrict b,
                                                    float* __restrict c, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const __m256 p = _mm256_loadu_ps(a + 2 * i), q = _mm256_loadu_ps(b + 2 * i);
    const __m256 crossed = _mm256_mul_ps(_mm256_movehdup_ps(p), _mm256_permute_ps(q, 0xB1));
    const __m256 product = _mm256_fmaddsub_ps(_mm256_moveldup_ps(p), q, crossed);
    _mm256_storeu_ps(c + 2 * i, _mm256_add_ps(_mm256_loadu_ps(c + 2 * i), product));
  }
  return i;
}
void complex_multiply(const float* a, const float* b, float* c, int n) {
  int i = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? wide(a, b, c, n) : 0;
  for (; i < n; ++i) {
    const float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    const float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    c[2 * i] += re;
    c[2 * i + 1] += im;
  }
}
