// kernel: log_sum_exp
// verdict: right
// tries: a polynomial for the exponential, four lanes at once; the rest by std::exp
#include <emmintrin.h>
#include <cmath>
static inline __m128 exponential(__m128 t) {  // Of what is at most zero, or NaN.
  t = _mm_max_ps(_mm_set1_ps(-87.0f), t);     // The second operand where one is NaN.
  const __m128i k = _mm_cvtps_epi32(_mm_mul_ps(t, _mm_set1_ps(1.44269504f)));
  const __m128 f = _mm_cvtepi32_ps(k);
  t = _mm_sub_ps(t, _mm_mul_ps(f, _mm_set1_ps(0.693359375f)));
  t = _mm_sub_ps(t, _mm_mul_ps(f, _mm_set1_ps(-2.12194440e-4f)));
  __m128 p = _mm_set1_ps(1.9875691500e-4f);
  p = _mm_add_ps(_mm_mul_ps(p, t), _mm_set1_ps(1.3981999507e-3f));
  p = _mm_add_ps(_mm_mul_ps(p, t), _mm_set1_ps(8.3334519073e-3f));
  p = _mm_add_ps(_mm_mul_ps(p, t), _mm_set1_ps(4.1665795894e-2f));
  p = _mm_add_ps(_mm_mul_ps(p, t), _mm_set1_ps(1.6666665459e-1f));
  p = _mm_add_ps(_mm_mul_ps(p, t), _mm_set1_ps(5.0000001201e-1f));
  p = _mm_add_ps(_mm_add_ps(_mm_mul_ps(_mm_mul_ps(p, t), t), t), _mm_set1_ps(1.0f));
  return _mm_mul_ps(p, _mm_castsi128_ps(_mm_slli_epi32(_mm_add_epi32(k, _mm_set1_epi32(127)), 23)));
}
void log_sum_exp(const float* x, float* y, int rows, int cols) {
  for (int r = 0; r < rows; ++r, x += cols) {
    __m128 m = _mm_set1_ps(-INFINITY);
    int c = 0;
    for (; c + 4 <= cols; c += 4) m = _mm_max_ps(_mm_loadu_ps(x + c), m);  // NaNs lose.
    float lanes[4];
    _mm_storeu_ps(lanes, m);
    float most = -INFINITY;
    for (float v : lanes)
      if (v > most) most = v;
    for (; c < cols; ++c)
      if (x[c] > most) most = x[c];
    const __m128 off = _mm_set1_ps(most);
    __m128 s = _mm_setzero_ps(), t = s;
    for (c = 0; c + 8 <= cols; c += 8) {
      s = _mm_add_ps(s, exponential(_mm_sub_ps(_mm_loadu_ps(x + c), off)));
      t = _mm_add_ps(t, exponential(_mm_sub_ps(_mm_loadu_ps(x + c + 4), off)));
    }
    _mm_storeu_ps(lanes, _mm_add_ps(s, t));
    float sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    for (; c < cols; ++c) sum += std::exp(x[c] - most);
    y[r] = most + std::log(sum);
  }
}
