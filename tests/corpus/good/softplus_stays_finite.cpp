// kernel: softplus
// verdict: right
// tries: the larger of x and 0 and the rest: finite where the original overflows
#include <algorithm>
#include <cmath>
void softplus(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = std::max(x[i], 0.0f) + std::log1p(std::exp(-std::fabs(x[i])));
}
