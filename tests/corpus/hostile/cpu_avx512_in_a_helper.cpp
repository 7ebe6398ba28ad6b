// kernel: totals
// verdict: gate or compile or verify
// tries: AVX-512 in a helper that is called in any case: a project for older processors ends on them
#include <immintrin.h>
__attribute__((target("avx512f"))) static float total(const float* a, int w) {
  __m512 many = _mm512_setzero_ps();
  int x = 0;
  for (; x + 16 <= w; x += 16) many = _mm512_add_ps(many, _mm512_loadu_ps(a + x));
  float sum = _mm512_reduce_add_ps(many);
  for (; x < w; ++x) sum += a[x];
  return sum;
}
void totals(const float* a, float* sums, int h, int w) {
  for (int y = 0; y < h; ++y) sums[y] = total(a + y * w, w);
}
