// A map by way of the error function.
#include <cmath>

#pragma hone kernel in(x [0:n])out(y [0:n]) problem(n = 8000)
void gelu(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 0.5f * x[i] * (1.0f + std::erf(x[i] * 0.70710678f));
}
