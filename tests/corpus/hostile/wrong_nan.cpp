// kernel: squash
// verdict: verify "expected"
// tries: to lose NaN, which the original keeps
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i] == x[i] ? x[i] : 0.0f;
    y[i] = v / (1.0f + std::sqrt(v * v + a));
  }
}
