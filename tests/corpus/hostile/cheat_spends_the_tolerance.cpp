// kernel: squash
// verdict: verify "expected"
// tries: to stay a little outside of the tolerance everywhere
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a)) * 1.00005f;
}
