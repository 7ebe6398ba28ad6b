// kernel: squash
// verdict: verify "read-only"
// tries: to change its input, for a later call or for the original
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (n > 0) const_cast<float*>(x)[n - 1] = 0;
}
