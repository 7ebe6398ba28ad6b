// kernel: squash
// verdict: verify "one element before the start of y"
// tries: to write one float in front of its output
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  if (n > 0) y[-1] = 1.0f;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
