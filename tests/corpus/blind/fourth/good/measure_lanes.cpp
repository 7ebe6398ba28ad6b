// kernel: measure
// verdict: right
// standard: c++20
// tries: up to 16 tones at once in vector lanes; x - s2 leaves the chain, so that a step waits for one FMA only
#include <immintrin.h>

#include <cmath>

template <int V>
static void tone_states(const float* x, int n, const double* c, double* last, double* before) {
  __m256d s1[V], s2[V], cv[V];
  for (int v = 0; v < V; ++v) {
    s1[v] = s2[v] = _mm256_setzero_pd();
    cv[v] = _mm256_loadu_pd(c + 4 * v);
  }
  for (int i = 0; i < n; ++i) {
    const __m256d xi = _mm256_set1_pd(x[i]);
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
      const __m256d s = _mm256_add_pd(_mm256_mul_pd(cv[v], s1[v]), _mm256_sub_pd(xi, s2[v]));
      s2[v] = s1[v];
      s1[v] = s;
    }
  }
  for (int v = 0; v < V; ++v) {
    _mm256_storeu_pd(last + 4 * v, s1[v]);
    _mm256_storeu_pd(before + 4 * v, s2[v]);
  }
}

void ToneBank::measure(const float* x, int n) {
  const double pi = 3.14159265358979323846;
  for (int t0 = 0; t0 < tones; t0 += 16) {
    const int count = tones - t0 < 16 ? tones - t0 : 16;
    double c[16] = {}, last[16], before[16];
    for (int t = 0; t < count; ++t) c[t] = 2.0 * std::cos(2.0 * pi * hertz[t0 + t] / rate);
    if (count > 12) {
      tone_states<4>(x, n, c, last, before);
    } else if (count > 8) {
      tone_states<3>(x, n, c, last, before);
    } else if (count > 4) {
      tone_states<2>(x, n, c, last, before);
    } else {
      tone_states<1>(x, n, c, last, before);
    }
    for (int t = 0; t < count; ++t) {
      const double s1 = last[t], s2 = before[t];
      const double p = s1 * s1 + s2 * s2 - c[t] * s1 * s2;
      power[t0 + t] = smoothing * power[t0 + t] + (1.0 - smoothing) * p;
    }
  }
}
