// kernel: axpy
// verdict: right
// tries: single steps up to an aligned y, then aligned stores, then the rest
#include <xmmintrin.h>
#include <cstdint>
void axpy(const float* x, float* y, int n, float alpha) {
  int i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(y + i) % 16 != 0; ++i) y[i] += alpha * x[i];
  const __m128 factor = _mm_set1_ps(alpha);
  for (; i + 4 <= n; i += 4)
    _mm_store_ps(y + i, _mm_add_ps(_mm_load_ps(y + i), _mm_mul_ps(factor, _mm_loadu_ps(x + i))));
  for (; i < n; ++i) y[i] += alpha * x[i];
}
