// kernel: axpy
// verdict: verify
// tries: aligned loads where n is a multiple of four: y + 1 with 1000 elements ends the program
#include <xmmintrin.h>
void axpy(const float* x, float* y, int n, float alpha) {
  int i = 0;
  if (n % 4 == 0)
    for (const __m128 factor = _mm_set1_ps(alpha); i < n; i += 4)
      _mm_store_ps(y + i, _mm_add_ps(_mm_load_ps(y + i), _mm_mul_ps(factor, _mm_load_ps(x + i))));
  for (; i < n; ++i) y[i] += alpha * x[i];
}
