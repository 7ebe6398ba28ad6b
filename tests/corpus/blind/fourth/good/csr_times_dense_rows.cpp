// kernel: csr_times_dense
// verdict: right
// standard: c++20
// tries: up to 16 columns of y stay in registers while a row of A is read once; the last columns by masks
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

template <int V, bool MASKED>
static inline void csr_row(const Csr& a, int r, const double* x, double* y, size_t k, __m256i mask) {
  __m256d sum[V];
  for (int v = 0; v < V; ++v) sum[v] = _mm256_setzero_pd();
  const int end = a.start[r + 1];
  for (int p = a.start[r]; p < end; ++p) {
    const __m256d value = _mm256_set1_pd(a.value[p]);
    const double* from = x + static_cast<size_t>(a.column[p]) * k;
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
      const __m256d xv =
          MASKED && v == V - 1 ? _mm256_maskload_pd(from + 4 * v, mask) : _mm256_loadu_pd(from + 4 * v);
      sum[v] = _mm256_add_pd(sum[v], _mm256_mul_pd(value, xv));
    }
  }
  for (int v = 0; v < V; ++v) {
    if (MASKED && v == V - 1) {
      _mm256_maskstore_pd(y + 4 * v, mask, sum[v]);
    } else {
      _mm256_storeu_pd(y + 4 * v, sum[v]);
    }
  }
}

template <int V, bool MASKED>
static void csr_columns(const Csr& a, const double* x, double* y, size_t k, __m256i mask) {
  for (int r = 0; r < a.rows; ++r) csr_row<V, MASKED>(a, r, x, y + static_cast<size_t>(r) * k, k, mask);
}

void csr_times_dense(const Csr& a, const double* x, double* y, int k) {
  const __m256i none = _mm256_setzero_si256();
  int c = 0;
  for (; c + 16 <= k; c += 16) csr_columns<4, false>(a, x + c, y + c, k, none);
  const int left = k - c;
  if (left <= 0) return;
  const __m256i mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(left & 3), _mm256_setr_epi64x(0, 1, 2, 3));
  x += c;
  y += c;
  switch (left / 4 * 2 + (left % 4 != 0)) {
    case 1: return csr_columns<1, true>(a, x, y, k, mask);
    case 2: return csr_columns<1, false>(a, x, y, k, none);
    case 3: return csr_columns<2, true>(a, x, y, k, mask);
    case 4: return csr_columns<2, false>(a, x, y, k, none);
    case 5: return csr_columns<3, true>(a, x, y, k, mask);
    case 6: return csr_columns<3, false>(a, x, y, k, none);
    default: return csr_columns<4, true>(a, x, y, k, mask);
  }
}
