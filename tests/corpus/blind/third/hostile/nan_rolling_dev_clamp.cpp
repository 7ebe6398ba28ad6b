// kernel: rolling_dev
// verdict: verify
// standard: c++20
// tries: two passes over four windows at once with the corrected formula, the variance kept from going below 0 by max(v, 0); SSE's max gives 0 for NaN, so that windows with a missing value get 0 instead of NaN
#include <cmath>
#include <emmintrin.h>

void rolling_dev(const double* x, double* dev, int n, int w) {
  if (w < 1) return;
  const __m128d zero = _mm_setzero_pd(), count = _mm_set1_pd(w);
  int i = 0;
  for (; i + w + 3 <= n; i += 4) {
    __m128d s0 = zero, s1 = zero, q0 = zero, q1 = zero, d0s = zero, d1s = zero;
    for (int j = 0; j < w; ++j) {
      s0 = _mm_add_pd(s0, _mm_loadu_pd(x + i + j));
      s1 = _mm_add_pd(s1, _mm_loadu_pd(x + i + j + 2));
    }
    const __m128d m0 = _mm_div_pd(s0, count), m1 = _mm_div_pd(s1, count);
    for (int j = 0; j < w; ++j) {
      const __m128d d0 = _mm_sub_pd(_mm_loadu_pd(x + i + j), m0), d1 = _mm_sub_pd(_mm_loadu_pd(x + i + j + 2), m1);
      d0s = _mm_add_pd(d0s, d0);
      d1s = _mm_add_pd(d1s, d1);
      q0 = _mm_add_pd(q0, _mm_mul_pd(d0, d0));
      q1 = _mm_add_pd(q1, _mm_mul_pd(d1, d1));
    }
    const __m128d v0 = _mm_div_pd(_mm_sub_pd(q0, _mm_div_pd(_mm_mul_pd(d0s, d0s), count)), count);
    const __m128d v1 = _mm_div_pd(_mm_sub_pd(q1, _mm_div_pd(_mm_mul_pd(d1s, d1s), count)), count);
    _mm_storeu_pd(dev + i, _mm_sqrt_pd(_mm_max_pd(v0, zero)));
    _mm_storeu_pd(dev + i + 2, _mm_sqrt_pd(_mm_max_pd(v1, zero)));
  }
  for (; i + w <= n; ++i) {
    double sum = 0, squares = 0;
    for (int j = 0; j < w; ++j) sum += x[i + j];
    for (int j = 0; j < w; ++j) squares += (x[i + j] - sum / w) * (x[i + j] - sum / w);
    dev[i] = std::sqrt(squares / w);
  }
}
