// kernel: squash
// verdict: right
// needs: avx2
// tries: eight at a time with AVX2 and FMA, the tail under a mask, where the processor has both
#include <cmath>
#include <immintrin.h>
alignas(32) static const int kMask[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
__attribute__((target("avx2,fma"))) static void wide(const float* x, float* y, int n, float a) {
  const __m256 one = _mm256_set1_ps(1.0f), va = _mm256_set1_ps(a);
  const auto f = [&](__m256 v) __attribute__((target("avx2,fma"))) {
    return _mm256_div_ps(v, _mm256_add_ps(one, _mm256_sqrt_ps(_mm256_fmadd_ps(v, v, va))));
  };
  int i = 0;
  for (; i + 8 <= n; i += 8) _mm256_storeu_ps(y + i, f(_mm256_loadu_ps(x + i)));
  if (i < n) {
    const __m256i mask = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMask + 8 - (n - i)));
    _mm256_maskstore_ps(y + i, mask, f(_mm256_maskload_ps(x + i, mask)));
  }
}
void squash(const float* x, float* y, int n, float a) {
  const bool has_both = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!has_both) {
    for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
    return;
  }
  wide(x, y, n, a);
}
