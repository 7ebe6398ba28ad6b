// kernel: totals
// verdict: right
// tries: AVX2 where the processor says that it has it
#include <immintrin.h>
__attribute__((target("avx2"))) static float wide(const float* a, int w) {
  __m256 eight = _mm256_setzero_ps();
  int x = 0;
  for (; x + 8 <= w; x += 8) eight = _mm256_add_ps(eight, _mm256_loadu_ps(a + x));
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  float sum = _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
  for (; x < w; ++x) sum += a[x];
  return sum;
}
static float plain(const float* a, int w) {
  float sum = 0;
  for (int x = 0; x < w; ++x) sum += a[x];
  return sum;
}
void totals(const float* a, float* sums, int h, int w) {
  if (__builtin_cpu_supports("avx2"))
    for (int y = 0; y < h; ++y) sums[y] = wide(a + y * w, w);
  else
    for (int y = 0; y < h; ++y) sums[y] = plain(a + y * w, w);
}
