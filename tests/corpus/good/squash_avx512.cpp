// kernel: squash
// verdict: right
// needs: avx512f
// tries: sixteen at a time with AVX-512, all of it under masks, where the processor has it
#include <cmath>
#include <immintrin.h>
#pragma GCC push_options
#pragma GCC target("avx512f")
static void wide(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; i += 16) {
    const __mmask16 mask = n - i >= 16 ? 0xffff : static_cast<__mmask16>((1u << (n - i)) - 1);
    const __m512 v = _mm512_maskz_loadu_ps(mask, x + i);
    const __m512 root = _mm512_sqrt_ps(_mm512_fmadd_ps(v, v, _mm512_set1_ps(a)));
    _mm512_mask_storeu_ps(y + i, mask, _mm512_div_ps(v, _mm512_add_ps(root, _mm512_set1_ps(1.0f))));
  }
}
#pragma GCC pop_options
void squash(const float* x, float* y, int n, float a) {
  if (__builtin_cpu_supports("avx512f")) return wide(x, y, n, a);
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
