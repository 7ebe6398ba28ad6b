// kernel: quantize_rows
// verdict: right
// tries: AVX2 where the processor has it: 32 values a step, packed in lanes and put in order; then eight a step
#include <immintrin.h>
#include <cmath>
__attribute__((target("avx2"))) static inline __m256i eight(const float* p, __m256 inverse) {
  __m256 v = _mm256_mul_ps(_mm256_loadu_ps(p), inverse);
  v = _mm256_and_ps(v, _mm256_cmp_ps(v, v, _CMP_ORD_Q));
  v = _mm256_max_ps(_mm256_min_ps(v, _mm256_set1_ps(127)), _mm256_set1_ps(-127));
  return _mm256_cvtps_epi32(v);
}
__attribute__((target("avx2"))) static void wide(const float* x, signed char* q, float* scale, int rows, int cols) {
  const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
  for (int r = 0; r < rows; ++r, x += cols, q += cols) {
    __m256 a = _mm256_setzero_ps();
    int c = 0;
    for (; c + 8 <= cols; c += 8) a = _mm256_max_ps(_mm256_and_ps(_mm256_loadu_ps(x + c), magnitude), a);
    float lanes[8];
    _mm256_storeu_ps(lanes, a);
    float most = 0;
    for (float l : lanes) most = l > most ? l : most;
    for (; c < cols; ++c) most = std::fabs(x[c]) > most ? std::fabs(x[c]) : most;
    const float inverse = most > 0 ? 127 / most : 0;
    const __m256 by = _mm256_set1_ps(inverse);
    for (c = 0; c + 32 <= cols; c += 32) {
      const __m256i ab = _mm256_packs_epi32(eight(x + c, by), eight(x + c + 8, by));
      const __m256i cd = _mm256_packs_epi32(eight(x + c + 16, by), eight(x + c + 24, by));
      const __m256i mixed = _mm256_packs_epi16(ab, cd);  // Words a0 b0 c0 d0 a1 b1 c1 d1.
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(q + c),
                          _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
    }
    for (; c + 8 <= cols; c += 8) {
      const __m256i v = eight(x + c, by);
      const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(q + c), _mm_packs_epi16(words, words));
    }
    for (; c < cols; ++c) {
      const float v = x[c] * inverse;
      q[c] = static_cast<signed char>(v != v ? 0 : v >= 127 ? 127 : v <= -127 ? -127 : std::lrint(v));
    }
    scale[r] = most / 127;
  }
}
void quantize_rows(const float* x, signed char* q, float* scale, int rows, int cols) {
  if (__builtin_cpu_supports("avx2")) {
    wide(x, q, scale, rows, cols);
    return;
  }
  for (int r = 0; r < rows; ++r, x += cols, q += cols) {
    float most = 0;
    for (int c = 0; c < cols; ++c)
      if (std::fabs(x[c]) > most) most = std::fabs(x[c]);
    const float inverse = most > 0 ? 127 / most : 0;
    for (int c = 0; c < cols; ++c) {
      const float v = x[c] * inverse;
      q[c] = static_cast<signed char>(v != v ? 0 : v >= 127 ? 127 : v <= -127 ? -127 : std::lrint(v));
    }
    scale[r] = most / 127;
  }
}
