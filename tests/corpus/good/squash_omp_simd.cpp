// kernel: squash
// verdict: right
// tries: OpenMP's simd, which starts no thread
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
#pragma omp simd
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + __builtin_sqrtf(x[i] * x[i] + a));
}
