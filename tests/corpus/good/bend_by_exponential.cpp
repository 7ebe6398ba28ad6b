// kernel: bend
// verdict: right
// tries: tanh by one exponential less one, of the negative side alone
#include <cmath>
void bend(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = std::fabs(x[i]);
    const float e = std::expm1(-2.0f * v);
    y[i] = std::copysign(-e / (e + 2.0f), x[i]);
  }
}
