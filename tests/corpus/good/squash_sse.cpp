// kernel: squash
// verdict: right
// tries: four at a time with SSE, and a scalar tail
#include <immintrin.h>
void squash(const float* x, float* y, int n, float a) {
  const __m128 one = _mm_set1_ps(1.0f), va = _mm_set1_ps(a);
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const __m128 v = _mm_loadu_ps(x + i);
    _mm_storeu_ps(y + i, _mm_div_ps(v, _mm_add_ps(one, _mm_sqrt_ps(_mm_add_ps(_mm_mul_ps(v, v), va)))));
  }
  for (; i < n; ++i) {
    const __m128 v = _mm_load_ss(x + i);
    _mm_store_ss(y + i, _mm_div_ss(v, _mm_add_ss(one, _mm_sqrt_ss(_mm_add_ss(_mm_mul_ss(v, v), va)))));
  }
}
