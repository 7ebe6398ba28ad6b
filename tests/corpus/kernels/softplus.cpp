// A map that overflows where its value would not.
#include <cmath>

#pragma hone kernel in(x [0:n])out(y [0:n]) problem(n = 8000)
void softplus(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = std::log(1.0f + std::exp(x[i]));
}
