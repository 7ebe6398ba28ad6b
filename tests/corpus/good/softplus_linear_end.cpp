// kernel: softplus
// verdict: right
// tries: x itself above 20, where the rest is less than half a unit in the last place
#include <cmath>
void softplus(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] > 20.0f ? x[i] : std::log1p(std::exp(x[i]));
}
