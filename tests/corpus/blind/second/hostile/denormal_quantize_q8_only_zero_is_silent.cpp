// kernel: quantize_q8
// verdict: verify
// tries: vectors of doubles, in which only blocks of zeros are silent: blocks whose numbers all lie below 1e-30, denormal ones too, get codes and a scale
#include <emmintrin.h>
void quantize_q8(const float* x, signed char* q, float* scale, int blocks) {
  const __m128 positive = _mm_castsi128_ps(_mm_set1_epi32(0x7FFFFFFF));
  const __m128d sign = _mm_set1_pd(-0.0), half = _mm_set1_pd(0.49999999999999994);
  for (int b = 0; b < blocks; ++b, x += 32, q += 32) {
    __m128 m = _mm_setzero_ps();
    for (int i = 0; i < 32; i += 4) m = _mm_max_ps(_mm_and_ps(_mm_loadu_ps(x + i), positive), m);
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    m = _mm_max_ss(m, _mm_shuffle_ps(m, m, 1));
    const float most = _mm_cvtss_f32(m);
    const __m128d inverse = _mm_set1_pd(most == 0 ? 0 : 127.0 / most);
    scale[b] = most / 127;
    const auto two = [&](__m128 v) {  // halves away from zero
      const __m128d p = _mm_mul_pd(_mm_cvtps_pd(v), inverse);
      return _mm_cvttpd_epi32(_mm_add_pd(p, _mm_or_pd(_mm_and_pd(p, sign), half)));
    };
    for (int i = 0; i < 32; i += 16) {
      __m128i four[4];
      for (int t = 0; t < 4; ++t) {
        const __m128 v = _mm_loadu_ps(x + i + 4 * t);
        four[t] = _mm_unpacklo_epi64(two(v), two(_mm_movehl_ps(v, v)));
      }
      _mm_storeu_si128(reinterpret_cast<__m128i*>(q + i),
                       _mm_packs_epi16(_mm_packs_epi32(four[0], four[1]), _mm_packs_epi32(four[2], four[3])));
    }
  }
}
