// kernel: squash
// verdict: verify "one element past the end of y"
// tries: to write one float behind its output
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (n > 0) y[n] = y[0];
}
