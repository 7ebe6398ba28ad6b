// kernel: layer_norm
// verdict: right
// tries: SSE2 in double, four sums of two lanes each, the quotient turned into a product per row
#include <emmintrin.h>
#include <cmath>
static inline __m128d two(const float* p) {
  return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
static inline double across(__m128d v) { return _mm_cvtsd_f64(_mm_add_sd(v, _mm_unpackhi_pd(v, v))); }
void layer_norm(const float* __restrict x, const float* __restrict gain, const float* __restrict shift, float* __restrict y,
                int rows, int cols, float eps) {
  for (int r = 0; r < rows; ++r, x += cols, y += cols) {
    __m128d s[4] = {_mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd()};
    int c = 0;
    for (; c + 8 <= cols; c += 8)
      for (int l = 0; l < 4; ++l) s[l] = _mm_add_pd(s[l], two(x + c + 2 * l));
    double sum = across(_mm_add_pd(_mm_add_pd(s[0], s[1]), _mm_add_pd(s[2], s[3])));
    for (; c < cols; ++c) sum += x[c];
    const double mean = sum / cols;
    const __m128d means = _mm_set1_pd(mean);
    for (int l = 0; l < 4; ++l) s[l] = _mm_setzero_pd();
    for (c = 0; c + 8 <= cols; c += 8)
      for (int l = 0; l < 4; ++l) {
        const __m128d d = _mm_sub_pd(two(x + c + 2 * l), means);
        s[l] = _mm_add_pd(s[l], _mm_mul_pd(d, d));
      }
    double squares = across(_mm_add_pd(_mm_add_pd(s[0], s[1]), _mm_add_pd(s[2], s[3])));
    for (; c < cols; ++c) squares += (x[c] - mean) * (x[c] - mean);
    const double scale = 1.0 / std::sqrt(squares / cols + eps);
    const __m128d scales = _mm_set1_pd(scale);
    for (c = 0; c + 4 <= cols; c += 4) {
      __m128d p = _mm_mul_pd(_mm_mul_pd(_mm_sub_pd(two(x + c), means), scales), two(gain + c));
      __m128d q = _mm_mul_pd(_mm_mul_pd(_mm_sub_pd(two(x + c + 2), means), scales), two(gain + c + 2));
      p = _mm_add_pd(p, two(shift + c));
      q = _mm_add_pd(q, two(shift + c + 2));
      _mm_storeu_ps(y + c, _mm_movelh_ps(_mm_cvtpd_ps(p), _mm_cvtpd_ps(q)));
    }
    for (; c < cols; ++c) y[c] = static_cast<float>((x[c] - mean) * scale * gain[c] + shift[c]);
  }
}
