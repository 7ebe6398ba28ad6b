// kernel: conv_clamp
// verdict: right
// tries: eight pixels at once by AVX2 and FMA where all columns lie inside, rows clamped by a table of pointers
#include <immintrin.h>
#include <algorithm>
#include <cstddef>
static inline float one(const float* const* rows, const float* k, int x, int w, int r) {
  float sum = 0;
  for (int v = 0; v <= 2 * r; ++v)
    for (int u = -r; u <= r; ++u) sum += rows[v][std::min(std::max(x + u, 0), w - 1)] * *k++;
  return sum;
}
__attribute__((target("avx2,fma"))) static int inner(const float* const* rows, const float* k, float* to, int x, int w, int r) {
  const int side = 2 * r + 1;
  for (; x + 16 + r <= w; x += 16) {
    __m256 a = _mm256_setzero_ps(), b = a;
    const float* weight = k;
    for (int v = 0; v < side; ++v) {
      const float* from = rows[v] + (x - r);
      for (int u = 0; u < side; ++u) {
        const __m256 by = _mm256_broadcast_ss(weight++);
        a = _mm256_fmadd_ps(by, _mm256_loadu_ps(from + u), a);
        b = _mm256_fmadd_ps(by, _mm256_loadu_ps(from + u + 8), b);
      }
    }
    _mm256_storeu_ps(to + x, a);
    _mm256_storeu_ps(to + x + 8, b);
  }
  return x;
}
void conv_clamp(const float* src, const float* k, float* dst, int w, int h, int r) {
  const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const float* rows[17];  // r is at most 8.
  for (int y = 0; y < h; ++y) {
    for (int v = -r; v <= r; ++v) rows[v + r] = src + static_cast<std::ptrdiff_t>(std::min(std::max(y + v, 0), h - 1)) * w;
    float* to = dst + static_cast<std::ptrdiff_t>(y) * w;
    int x = 0;
    for (; x < std::min(r, w); ++x) to[x] = one(rows, k, x, w, r);
    if (fast) x = inner(rows, k, to, x, w, r);
    for (; x < w; ++x) to[x] = one(rows, k, x, w, r);
  }
}
