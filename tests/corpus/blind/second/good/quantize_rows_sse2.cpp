// kernel: quantize_rows
// verdict: right
// tries: SSE2: the largest magnitude four by four, sixteen values a step rounded by cvtps2dq and packed
#include <emmintrin.h>
#include <cmath>
static inline __m128i four(const float* p, __m128 inverse) {
  __m128 v = _mm_mul_ps(_mm_loadu_ps(p), inverse);
  v = _mm_and_ps(v, _mm_cmpord_ps(v, v));  // No number becomes zero.
  v = _mm_max_ps(_mm_min_ps(v, _mm_set1_ps(127)), _mm_set1_ps(-127));
  return _mm_cvtps_epi32(v);
}
void quantize_rows(const float* __restrict x, signed char* __restrict q, float* __restrict scale, int rows, int cols) {
  const __m128 magnitude = _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff));
  for (int r = 0; r < rows; ++r, x += cols, q += cols) {
    __m128 a = _mm_setzero_ps(), b = a;
    int c = 0;
    for (; c + 8 <= cols; c += 8) {  // maxps keeps its second operand if the first is no number.
      a = _mm_max_ps(_mm_and_ps(_mm_loadu_ps(x + c), magnitude), a);
      b = _mm_max_ps(_mm_and_ps(_mm_loadu_ps(x + c + 4), magnitude), b);
    }
    a = _mm_max_ps(a, b);
    a = _mm_max_ps(a, _mm_movehl_ps(a, a));
    a = _mm_max_ss(a, _mm_shuffle_ps(a, a, 1));
    float most = _mm_cvtss_f32(a);
    for (; c < cols; ++c)
      if (std::fabs(x[c]) > most) most = std::fabs(x[c]);
    const float inverse = most > 0 ? 127 / most : 0;
    const __m128 by = _mm_set1_ps(inverse);
    for (c = 0; c + 16 <= cols; c += 16) {
      const __m128i low = _mm_packs_epi32(four(x + c, by), four(x + c + 4, by));
      const __m128i high = _mm_packs_epi32(four(x + c + 8, by), four(x + c + 12, by));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(q + c), _mm_packs_epi16(low, high));
    }
    for (; c < cols; ++c) {
      float v = x[c] * inverse;
      v = v == v ? v : 0;
      v = v > 127 ? 127 : v < -127 ? -127 : v;
      q[c] = static_cast<signed char>(_mm_cvtss_si32(_mm_set_ss(v)));
    }
    scale[r] = most / 127;
  }
}
