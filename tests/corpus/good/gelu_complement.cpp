// kernel: gelu
// verdict: right
// tries: the complement of the error function, which keeps the digits of the lower tail
#include <cmath>
void gelu(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 0.5f * x[i] * std::erfc(x[i] * -0.70710678f);
}
