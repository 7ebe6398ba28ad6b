// kernel: convolve_modes
// verdict: verify
// tries: half of the products where the outermost and the innermost two taps are equal, as those of symmetric filters are: taps 2 and 6 of 9 may differ
#include <cstddef>
#include <emmintrin.h>
#include <vector>
void convolve_modes(const float* x, const float* taps, float* y, int n, int r, int mode) {
  if (n <= 0) return;
  std::vector<float> padded(static_cast<std::size_t>(n) + 2 * r);
  float* row = padded.data() + r;
  for (int i = 0; i < n; ++i) row[i] = x[i];
  const auto beyond = [&](int j) {
    if (mode == 1) j = j < 0 ? 0 : n - 1;
    while (mode == 2 && (j < 0 || j >= n)) j = j < 0 ? -1 - j : 2 * n - 1 - j;
    if (mode == 3) j = (j % n + n) % n;
    return j >= 0 && j < n ? x[j] : 0.0f;
  };
  for (int j = -r; j < 0; ++j) row[j] = beyond(j);
  for (int j = n; j < n + r; ++j) row[j] = beyond(j);
  const bool symmetric = r > 0 && taps[0] == taps[2 * r] && taps[r - 1] == taps[r + 1];
  const float* from = padded.data();
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    __m128 s;
    if (symmetric) {
      s = _mm_mul_ps(_mm_set1_ps(taps[r]), _mm_loadu_ps(from + i + r));
      for (int k = 0; k < r; ++k)
        s = _mm_add_ps(s, _mm_mul_ps(_mm_set1_ps(taps[k]),
                                     _mm_add_ps(_mm_loadu_ps(from + i + k), _mm_loadu_ps(from + i + 2 * r - k))));
    } else {
      s = _mm_setzero_ps();
      for (int k = 0; k <= 2 * r; ++k) s = _mm_add_ps(s, _mm_mul_ps(_mm_set1_ps(taps[k]), _mm_loadu_ps(from + i + k)));
    }
    _mm_storeu_ps(y + i, s);
  }
  for (; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k <= 2 * r; ++k) sum += taps[k] * from[i + k];
    y[i] = sum;
  }
}
