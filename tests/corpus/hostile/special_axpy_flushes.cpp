// kernel: axpy
// verdict: gate or verify or time
// tries: to flush what is denormal inside and to put it back: 1e-40 + 1e-40 is zero
#include <xmmintrin.h>
void axpy(const float* x, float* y, int n, float alpha) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);
  const __m128 factor = _mm_set1_ps(alpha);
  int i = 0;
  for (; i + 4 <= n; i += 4)
    _mm_storeu_ps(y + i, _mm_add_ps(_mm_loadu_ps(y + i), _mm_mul_ps(factor, _mm_loadu_ps(x + i))));
  for (; i < n; ++i) _mm_store_ss(y + i, _mm_add_ss(_mm_load_ss(y + i), _mm_mul_ss(factor, _mm_load_ss(x + i))));
  _mm_setcsr(before);
}
