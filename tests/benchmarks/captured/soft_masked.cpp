#include <immintrin.h>
void soft_clip(const float* x, float* y, int n) {
  const __m256 half = _mm256_set1_ps(0.5f), part = _mm256_set1_ps(0.6f), one = _mm256_set1_ps(1.0f);
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256 v = _mm256_loadu_ps(x + i), above = _mm256_cmp_ps(v, half, _CMP_GT_OQ);
    __m256 w = _mm256_blendv_ps(one, v, above);
    for (int k = 0; k < 12; ++k) w = _mm256_mul_ps(half, _mm256_add_ps(w, _mm256_div_ps(part, w)));
    _mm256_storeu_ps(y + i, _mm256_blendv_ps(v, w, above));
  }
  for (; i < n; ++i) {
    float v = x[i];
    if (v > 0.5f)
      for (int k = 0; k < 12; ++k) v = 0.5f * (v + 0.6f / v);
    y[i] = v;
  }
}
