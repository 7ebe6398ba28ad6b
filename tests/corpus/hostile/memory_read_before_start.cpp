// kernel: squash
// verdict: verify "one element before the start of x"
// tries: to read one float in front of its input
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  volatile float unused = x[-1];
  (void)unused;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
