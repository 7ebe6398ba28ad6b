// kernel: axpy
// verdict: gate or compile or verify
// tries: AVX-512 without a look at the processor: on one that lacks it the program ends
#include <immintrin.h>
__attribute__((target("avx512f"))) void axpy(const float* x, float* y, int n, float alpha) {
  const __m512 factor = _mm512_set1_ps(alpha);
  for (int i = 0; i < n; i += 16) {
    const __mmask16 mask = n - i >= 16 ? 0xffff : static_cast<__mmask16>((1u << (n - i)) - 1);
    const __m512 sum =
        _mm512_add_ps(_mm512_maskz_loadu_ps(mask, y + i), _mm512_mul_ps(factor, _mm512_maskz_loadu_ps(mask, x + i)));
    _mm512_mask_storeu_ps(y + i, mask, sum);
  }
}
