// kernel: squash
// verdict: verify "expected"
// tries: to take the processor's approximate square root without a step of refinement
#include <immintrin.h>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i] * x[i] + a;
    const float root = v * _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(v)));
    y[i] = x[i] / (1.0f + root);
  }
}
