// kernel: totals
// verdict: gate or compile or verify
// tries: to ask for AVX2 and to use AVX-512: most processors with the one lack the other
#include <immintrin.h>
__attribute__((target("avx512f"))) static float total(const float* a, int w) {
  __m512 many = _mm512_setzero_ps();
  int x = 0;
  for (; x + 16 <= w; x += 16) many = _mm512_add_ps(many, _mm512_loadu_ps(a + x));
  float sum = _mm512_reduce_add_ps(many);
  for (; x < w; ++x) sum += a[x];
  return sum;
}
static float plain(const float* a, int w) {
  float sum = 0;
  for (int x = 0; x < w; ++x) sum += a[x];
  return sum;
}
void totals(const float* a, float* sums, int h, int w) {
  const bool fast = __builtin_cpu_supports("avx2");
  for (int y = 0; y < h; ++y) sums[y] = fast ? total(a + y * w, w) : plain(a + y * w, w);
}
