// kernel: measure
// verdict: wrong
// standard: c++20
// tries: the recurrence in single precision, as the samples are: eight tones to a vector, twice as many lanes
#include <immintrin.h>

#include <cmath>

template <int V>
static void tone_states(const float* x, int n, const float* c, float* last, float* before) {
  __m256 s1[V], s2[V], cv[V];
  for (int v = 0; v < V; ++v) {
    s1[v] = s2[v] = _mm256_setzero_ps();
    cv[v] = _mm256_loadu_ps(c + 8 * v);
  }
  for (int i = 0; i < n; ++i) {
    const __m256 xi = _mm256_set1_ps(x[i]);
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
      // c = 2 - d: d is small where c would lose its digits.
      const __m256 step = _mm256_sub_ps(_mm256_sub_ps(s1[v], s2[v]), _mm256_mul_ps(cv[v], s1[v]));
      const __m256 s = _mm256_add_ps(_mm256_add_ps(xi, s1[v]), step);
      s2[v] = s1[v];
      s1[v] = s;
    }
  }
  for (int v = 0; v < V; ++v) {
    _mm256_storeu_ps(last + 8 * v, s1[v]);
    _mm256_storeu_ps(before + 8 * v, s2[v]);
  }
}

void ToneBank::measure(const float* x, int n) {
  const double pi = 3.14159265358979323846;
  for (int t0 = 0; t0 < tones; t0 += 32) {
    const int count = tones - t0 < 32 ? tones - t0 : 32;
    float d[32] = {}, last[32], before[32];
    for (int t = 0; t < count; ++t) {
      const double half = std::sin(pi * hertz[t0 + t] / rate);
      d[t] = static_cast<float>(4.0 * half * half);
    }
    if (count > 16) {
      tone_states<4>(x, n, d, last, before);
    } else {
      tone_states<2>(x, n, d, last, before);
    }
    for (int t = 0; t < count; ++t) {
      const double s1 = last[t], s2 = before[t], c = 2.0 - d[t];
      power[t0 + t] = smoothing * power[t0 + t] + (1.0 - smoothing) * (s1 * s1 + s2 * s2 - c * s1 * s2);
    }
  }
}
