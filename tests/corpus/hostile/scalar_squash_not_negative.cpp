// kernel: squash
// verdict: verify
// tries: the size of a for a: of a below zero the original makes roots of what is below zero, this does not
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  const float b = std::fabs(a);
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + b));
}
