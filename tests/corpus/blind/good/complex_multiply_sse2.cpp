// kernel: complex_multiply
// verdict: right
// tries: two products a register by shuffles and a flipped sign, four a turn
#include <emmintrin.h>
static inline __m128 product(__m128 a, __m128 b) {
  const __m128 flip = _mm_castsi128_ps(_mm_setr_epi32(static_cast<int>(0x80000000u), 0, static_cast<int>(0x80000000u), 0));
  const __m128 re = _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 2, 0, 0)), im = _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 3, 1, 1));
  const __m128 crossed = _mm_shuffle_ps(b, b, _MM_SHUFFLE(2, 3, 0, 1));
  return _mm_add_ps(_mm_mul_ps(re, b), _mm_xor_ps(_mm_mul_ps(im, crossed), flip));
}
void complex_multiply(const float* __restrict a, const float* __restrict b, float* __restrict c, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const __m128 p = product(_mm_loadu_ps(a + 2 * i), _mm_loadu_ps(b + 2 * i));
    const __m128 q = product(_mm_loadu_ps(a + 2 * i + 4), _mm_loadu_ps(b + 2 * i + 4));
    _mm_storeu_ps(c + 2 * i, _mm_add_ps(_mm_loadu_ps(c + 2 * i), p));
    _mm_storeu_ps(c + 2 * i + 4, _mm_add_ps(_mm_loadu_ps(c + 2 * i + 4), q));
  }
  for (; i < n; ++i) {
    const float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    const float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    c[2 * i] += re;
    c[2 * i + 1] += im;
  }
}
