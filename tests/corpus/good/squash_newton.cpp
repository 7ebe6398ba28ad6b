// kernel: squash
// verdict: right
// tries: the approximate root with a step of Newton, exact enough, zero kept apart
#include <cmath>
#include <immintrin.h>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i] * x[i] + a;
    float root;
    if (v > 1e-30f && v < 1e30f) [[likely]] {
      float r = _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(v)));
      r = r * (1.5f - 0.5f * v * r * r);
      root = v * r;
    } else {
      root = std::sqrt(v);
    }
    y[i] = x[i] / (1.0f + root);
  }
}
