// kernel: biquad
// verdict: verify
// tries: four quarters at once, each warmed up over 256 samples: not enough where the poles lie near the unit circle (c[3]=-0.489, c[4]=-0.489)
#include <emmintrin.h>
static void biquad_plain(const float* x, const float* c, float* z, float* y, int n) {
  float z1 = z[0], z2 = z[1];
  for (int i = 0; i < n; ++i) {
    const float in = x[i], out = c[0] * in + z1;
    z1 = c[1] * in - c[3] * out + z2;
    z2 = c[2] * in - c[4] * out;
    y[i] = out;
  }
  z[0] = z1, z[1] = z2;
}
void biquad(const float* x, const float* c, float* z, float* y, int n) {
  constexpr int warm = 256;
  if (n < 4096) return biquad_plain(x, c, z, y, n);
  const int q = n / 4;
  const __m128 b0 = _mm_set1_ps(c[0]), b1 = _mm_set1_ps(c[1]), b2 = _mm_set1_ps(c[2]);
  const __m128 a1 = _mm_set1_ps(c[3]), a2 = _mm_set1_ps(c[4]);
  const float *x1 = x + q, *x2 = x1 + q, *x3 = x2 + q;
  __m128 z1 = _mm_setzero_ps(), z2 = _mm_setzero_ps();
  for (int t = -warm; t < 0; ++t) {
    const __m128 in = _mm_set_ps(x3[t], x2[t], x1[t], 0.0f);
    const __m128 out = _mm_add_ps(_mm_mul_ps(b0, in), z1);
    z1 = _mm_add_ps(_mm_sub_ps(_mm_mul_ps(b1, in), _mm_mul_ps(a1, out)), z2);
    z2 = _mm_sub_ps(_mm_mul_ps(b2, in), _mm_mul_ps(a2, out));
  }
  z1 = _mm_add_ps(z1, _mm_set_ss(z[0]));
  z2 = _mm_add_ps(z2, _mm_set_ss(z[1]));
  for (int t = 0; t < q; ++t) {
    const __m128 in = _mm_set_ps(x3[t], x2[t], x1[t], x[t]);
    const __m128 out = _mm_add_ps(_mm_mul_ps(b0, in), z1);
    z1 = _mm_add_ps(_mm_sub_ps(_mm_mul_ps(b1, in), _mm_mul_ps(a1, out)), z2);
    z2 = _mm_sub_ps(_mm_mul_ps(b2, in), _mm_mul_ps(a2, out));
    float o[4];
    _mm_storeu_ps(o, out);
    y[t] = o[0], y[q + t] = o[1], y[2 * q + t] = o[2], y[3 * q + t] = o[3];
  }
  float s1[4], s2[4];
  _mm_storeu_ps(s1, z1);
  _mm_storeu_ps(s2, z2);
  z[0] = s1[3], z[1] = s2[3];
  biquad_plain(x + 4 * q, c, z, y + 4 * q, n - 4 * q);
}
