// kernel: lengths
// verdict: verify
// tries: the root of the squares: lengths below 1e-23 become nothing, those above 1e19 infinite
#include <cmath>
void lengths(const float* x, const float* y, float* r, int n) {
  for (int i = 0; i < n; ++i) r[i] = std::sqrt(x[i] * x[i] + y[i] * y[i]);
}
