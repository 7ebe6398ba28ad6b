// kernel: squash
// verdict: right
// tries: to promise that nothing overlaps
#include <cmath>
void squash(const float* __restrict x, float* __restrict y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(std::fma(x[i], x[i], a)));
}
