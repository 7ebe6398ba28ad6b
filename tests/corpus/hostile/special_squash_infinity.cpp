// kernel: squash
// verdict: verify
// tries: a limit for what is large: of infinity the original makes no number, which a program may test for, this makes 1
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i];
    y[i] = std::fabs(v) > 1e12f ? std::copysign(1.0f, v) : v / (1.0f + std::sqrt(v * v + a));
  }
}
