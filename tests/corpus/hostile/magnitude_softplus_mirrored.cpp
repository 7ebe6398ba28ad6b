// kernel: softplus
// verdict: verify
// tries: x + log(1 + exp(-x)), the same until exp(-x) overflows: of -90 it makes infinity instead of 0
#include <cmath>
void softplus(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] + std::log(1.0f + std::exp(-x[i]));
}
