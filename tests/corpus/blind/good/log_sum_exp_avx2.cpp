// kernel: log_sum_exp
// verdict: right
// tries: eight exponentials at once where the processor has AVX2 and FMA, the row's rest from a padded register
#include <immintrin.h>
#include <cmath>
#define WIDE __attribute__((target("avx2,fma")))
WIDE static inline __m256 exponential(__m256 t) {
  t = _mm256_max_ps(_mm256_set1_ps(-87.0f), t);
  const __m256 f =
      _mm256_round_ps(_mm256_mul_ps(t, _mm256_set1_ps(1.44269504f)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256i k = _mm256_cvtps_epi32(f);
  t = _mm256_fnmadd_ps(f, _mm256_set1_ps(0.693359375f), t);
  t = _mm256_fnmadd_ps(f, _mm256_set1_ps(-2.12194440e-4f), t);
  __m256 p = _mm256_set1_ps(1.9875691500e-4f);
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(1.3981999507e-3f));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(8.3334519073e-3f));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(4.1665795894e-2f));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(1.6666665459e-1f));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(5.0000001201e-1f));
  p = _mm256_add_ps(_mm256_fmadd_ps(_mm256_mul_ps(t, t), p, t), _mm256_set1_ps(1.0f));
  return _mm256_mul_ps(p, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(k, _mm256_set1_epi32(127)), 23)));
}
WIDE static void wide(const float* x, float* y, int rows, int cols) {
  const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const int whole = cols & ~7;
  const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(cols - whole), place);
  for (int r = 0; r < rows; ++r, x += cols) {
    const __m256 none = _mm256_set1_ps(-INFINITY);
    __m256 m = none, rest = none;
    if (whole < cols)
      rest = _mm256_blendv_ps(none, _mm256_maskload_ps(x + whole, mask), _mm256_castsi256_ps(mask));
    for (int c = 0; c < whole; c += 8) m = _mm256_max_ps(_mm256_loadu_ps(x + c), m);
    m = _mm256_max_ps(rest, m);
    float lanes[8];
    _mm256_storeu_ps(lanes, m);
    float most = -INFINITY;
    for (float v : lanes)
      if (v > most) most = v;
    const __m256 off = _mm256_set1_ps(most);
    __m256 s = _mm256_setzero_ps(), t = s;
    int c = 0;
    for (; c + 16 <= whole; c += 16) {
      s = _mm256_add_ps(s, exponential(_mm256_sub_ps(_mm256_loadu_ps(x + c), off)));
      t = _mm256_add_ps(t, exponential(_mm256_sub_ps(_mm256_loadu_ps(x + c + 8), off)));
    }
    if (c < whole) s = _mm256_add_ps(s, exponential(_mm256_sub_ps(_mm256_loadu_ps(x + c), off)));
    if (whole < cols) t = _mm256_add_ps(t, _mm256_and_ps(exponential(_mm256_sub_ps(rest, off)), _mm256_castsi256_ps(mask)));
    _mm256_storeu_ps(lanes, _mm256_add_ps(s, t));
    const float sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    y[r] = most + std::log(sum);
  }
}
#undef WIDE
void log_sum_exp(const float* x, float* y, int rows, int cols) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    wide(x, y, rows, cols);
    return;
  }
  for (int r = 0; r < rows; ++r) {
    float most = -INFINITY;
    for (int c = 0; c < cols; ++c)
      if (x[r * cols + c] > most) most = x[r * cols + c];
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += std::exp(x[r * cols + c] - most);
    y[r] = most + std::log(sum);
  }
}
