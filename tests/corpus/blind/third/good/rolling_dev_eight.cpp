// kernel: rolling_dev
// verdict: right
// standard: c++20
// tries: the same two passes in the same order for eight neighbouring windows at once, each in a lane of its own: no rounding differs
#include <cmath>
#include <emmintrin.h>

void rolling_dev(const double* x, double* dev, int n, int w) {
  if (w < 1 || w > n) return;
  const int windows = n - w + 1;
  const __m128d count = _mm_set1_pd(w);
  int i = 0;
  for (; i + 8 <= windows; i += 8) {
    const double* at = x + i;
    __m128d s0 = _mm_setzero_pd(), s1 = s0, s2 = s0, s3 = s0;
    for (int j = 0; j < w; ++j) {
      s0 = _mm_add_pd(s0, _mm_loadu_pd(at + j));
      s1 = _mm_add_pd(s1, _mm_loadu_pd(at + j + 2));
      s2 = _mm_add_pd(s2, _mm_loadu_pd(at + j + 4));
      s3 = _mm_add_pd(s3, _mm_loadu_pd(at + j + 6));
    }
    const __m128d m0 = _mm_div_pd(s0, count), m1 = _mm_div_pd(s1, count);
    const __m128d m2 = _mm_div_pd(s2, count), m3 = _mm_div_pd(s3, count);
    s0 = s1 = s2 = s3 = _mm_setzero_pd();
    for (int j = 0; j < w; ++j) {
      const __m128d d0 = _mm_sub_pd(_mm_loadu_pd(at + j), m0), d1 = _mm_sub_pd(_mm_loadu_pd(at + j + 2), m1);
      const __m128d d2 = _mm_sub_pd(_mm_loadu_pd(at + j + 4), m2), d3 = _mm_sub_pd(_mm_loadu_pd(at + j + 6), m3);
      s0 = _mm_add_pd(s0, _mm_mul_pd(d0, d0));
      s1 = _mm_add_pd(s1, _mm_mul_pd(d1, d1));
      s2 = _mm_add_pd(s2, _mm_mul_pd(d2, d2));
      s3 = _mm_add_pd(s3, _mm_mul_pd(d3, d3));
    }
    _mm_storeu_pd(dev + i, _mm_sqrt_pd(_mm_div_pd(s0, count)));
    _mm_storeu_pd(dev + i + 2, _mm_sqrt_pd(_mm_div_pd(s1, count)));
    _mm_storeu_pd(dev + i + 4, _mm_sqrt_pd(_mm_div_pd(s2, count)));
    _mm_storeu_pd(dev + i + 6, _mm_sqrt_pd(_mm_div_pd(s3, count)));
  }
  for (; i < windows; ++i) {
    double sum = 0, squares = 0;
    for (int j = 0; j < w; ++j) sum += x[i + j];
    const double mean = sum / w;
    for (int j = 0; j < w; ++j) squares += (x[i + j] - mean) * (x[i + j] - mean);
    dev[i] = std::sqrt(squares / w);
  }
}
