// kernel: csr_times_dense
// verdict: wrong
// standard: c++20
// tries: entries of a row in groups of four (two sums for each column), the last group filled up with zeros, so that no row has a tail
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

template <int V, bool MASKED>
static void csr_columns(const Csr& a, const double* x, double* y, size_t k, __m256i mask) {
  for (int r = 0; r < a.rows; ++r) {
    __m256d sum[2][V];
    for (int v = 0; v < V; ++v) sum[0][v] = sum[1][v] = _mm256_setzero_pd();
    const int end = a.start[r + 1];
    for (int p = a.start[r]; p < end; p += 4) {
      const double* from[4] = {x, x, x, x};
      double value[4] = {0.0, 0.0, 0.0, 0.0};
      const int count = end - p < 4 ? end - p : 4;
      for (int q = 0; q < count; ++q) {
        from[q] = x + static_cast<size_t>(a.column[p + q]) * k;
        value[q] = a.value[p + q];
      }
      for (int q = 0; q < 4; ++q) {
        const __m256d times = _mm256_set1_pd(value[q]);
        for (int v = 0; v < V; ++v) {
          const __m256d xv = MASKED && v == V - 1 ? _mm256_maskload_pd(from[q] + 4 * v, mask)
                                                  : _mm256_loadu_pd(from[q] + 4 * v);
          sum[q & 1][v] = _mm256_add_pd(sum[q & 1][v], _mm256_mul_pd(times, xv));
        }
      }
    }
    double* to = y + static_cast<size_t>(r) * k;
    for (int v = 0; v < V; ++v) {
      const __m256d total = _mm256_add_pd(sum[0][v], sum[1][v]);
      if (MASKED && v == V - 1) {
        _mm256_maskstore_pd(to + 4 * v, mask, total);
      } else {
        _mm256_storeu_pd(to + 4 * v, total);
      }
    }
  }
}

void csr_times_dense(const Csr& a, const double* x, double* y, int k) {
  const __m256i all = _mm256_set1_epi64x(-1);
  int c = 0;
  for (; c + 12 <= k; c += 12) csr_columns<3, false>(a, x + c, y + c, static_cast<size_t>(k), all);
  for (; c + 4 <= k; c += 4) csr_columns<1, false>(a, x + c, y + c, static_cast<size_t>(k), all);
  if (c < k) {
    const __m256i mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(k - c), _mm256_setr_epi64x(0, 1, 2, 3));
    csr_columns<1, true>(a, x + c, y + c, static_cast<size_t>(k), mask);
  }
}
