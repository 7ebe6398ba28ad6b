// kernel: moving_average
// verdict: right
// tries: sixteen windows side by side in SSE registers, each summed in the original's order
#include <emmintrin.h>
void moving_average(const float* __restrict x, float* __restrict y, int n, int k) {
  if (n < 1) return;
  if (k < 1) k = 1;
  if (k > n) k = n;
  int i = 0;
  float start = 0;  // Windows that begin at zero.
  for (; i < k - 1; ++i) {
    start += x[i];
    y[i] = start / static_cast<float>(i + 1);
  }
  const float count = static_cast<float>(k);
  const __m128 by = _mm_set1_ps(count);
  for (; i + 16 <= n; i += 16) {
    const float* from = x + (i - k + 1);
    __m128 a = _mm_setzero_ps(), b = a, c = a, d = a;
    for (int j = 0; j < k; ++j) {
      a = _mm_add_ps(a, _mm_loadu_ps(from + j));
      b = _mm_add_ps(b, _mm_loadu_ps(from + j + 4));
      c = _mm_add_ps(c, _mm_loadu_ps(from + j + 8));
      d = _mm_add_ps(d, _mm_loadu_ps(from + j + 12));
    }
    _mm_storeu_ps(y + i, _mm_div_ps(a, by));
    _mm_storeu_ps(y + i + 4, _mm_div_ps(b, by));
    _mm_storeu_ps(y + i + 8, _mm_div_ps(c, by));
    _mm_storeu_ps(y + i + 12, _mm_div_ps(d, by));
  }
  for (; i < n; ++i) {
    float sum = 0;
    for (int j = i - k + 1; j <= i; ++j) sum += x[j];
    y[i] = sum / count;
  }
}
