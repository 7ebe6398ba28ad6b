// kernel: squash
// verdict: verify "one element past the end of x"
// tries: to read one float behind its input, and to do nothing with it
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  volatile float unused = x[n];
  (void)unused;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
