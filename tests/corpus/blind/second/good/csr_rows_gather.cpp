// kernel: csr_rows
// verdict: right
// tries: AVX2 gathers of eight and FMA in double where the processor has them, masked gathers for the ends of rows
#include <immintrin.h>
#include <cstdint>
alignas(32) static const std::int32_t few[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
__attribute__((target("avx2,fma"))) static void wide(const int* __restrict start, const int* __restrict col,
                                                     const float* __restrict value, const float* __restrict x,
                                                     float* __restrict y, int m) {
  for (int i = 0; i < m; ++i) {
    const int end = start[i + 1];
    int k = start[i];
    __m256d low = _mm256_setzero_pd(), high = low;
    for (; end - k >= 8; k += 8) {
      const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(col + k));
      const __m256 g = _mm256_i32gather_ps(x, c, 4), v = _mm256_loadu_ps(value + k);
      low = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(v)), _mm256_cvtps_pd(_mm256_castps256_ps128(g)), low);
      high = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)), _mm256_cvtps_pd(_mm256_extractf128_ps(g, 1)), high);
    }
    if (k < end) {
      const __m256i mask = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(few + 8 - (end - k)));
      const __m256i c = _mm256_maskload_epi32(col + k, mask);
      const __m256 g = _mm256_mask_i32gather_ps(_mm256_setzero_ps(), x, c, _mm256_castsi256_ps(mask), 4);
      const __m256 v = _mm256_maskload_ps(value + k, mask);
      low = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(v)), _mm256_cvtps_pd(_mm256_castps256_ps128(g)), low);
      high = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)), _mm256_cvtps_pd(_mm256_extractf128_ps(g, 1)), high);
    }
    const __m256d both = _mm256_add_pd(low, high);
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(both), _mm256_extractf128_pd(both, 1));
    y[i] = static_cast<float>(y[i] + (_mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two))));
  }
}
void csr_rows(const int* start, const int* col, const float* value, const float* x, float* y, int m, int n, int nnz) {
  (void)n;
  (void)nnz;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    wide(start, col, value, x, y, m);
    return;
  }
  for (int i = 0; i < m; ++i) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += static_cast<double>(value[k]) * x[col[k]];
    y[i] = static_cast<float>(y[i] + sum);
  }
}
