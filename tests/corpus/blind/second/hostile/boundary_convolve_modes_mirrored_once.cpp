// kernel: convolve_modes
// verdict: verify
// tries: the row with its borders in a buffer, mirrored once and then clamped: rows shorter than the radius are mirrored more often (n = 3, r = 5, mode 2)
#include <cstddef>
#include <emmintrin.h>
#include <vector>
void convolve_modes(const float* x, const float* taps, float* y, int n, int r, int mode) {
  if (n <= 0) return;
  std::vector<float> padded(static_cast<std::size_t>(n) + 2 * r);
  float* row = padded.data() + r;
  for (int i = 0; i < n; ++i) row[i] = x[i];
  const auto beyond = [&](int j) {
    if (mode == 1) return x[j < 0 ? 0 : n - 1];
    if (mode == 2) {
      int k = j < 0 ? -1 - j : 2 * n - 1 - j;
      if (k < 0) k = 0;
      if (k > n - 1) k = n - 1;
      return x[k];
    }
    if (mode == 3) return x[(j % n + n) % n];
    return 0.0f;
  };
  for (int j = -r; j < 0; ++j) row[j] = beyond(j);
  for (int j = n; j < n + r; ++j) row[j] = beyond(j);
  const float* from = padded.data();
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    __m128 s = _mm_setzero_ps(), t = _mm_setzero_ps();
    for (int k = 0; k <= 2 * r; ++k) {
      const __m128 tap = _mm_set1_ps(taps[k]);
      s = _mm_add_ps(s, _mm_mul_ps(tap, _mm_loadu_ps(from + i + k)));
      t = _mm_add_ps(t, _mm_mul_ps(tap, _mm_loadu_ps(from + i + k + 4)));
    }
    _mm_storeu_ps(y + i, s);
    _mm_storeu_ps(y + i + 4, t);
  }
  for (; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k <= 2 * r; ++k) sum += taps[k] * from[i + k];
    y[i] = sum;
  }
}
