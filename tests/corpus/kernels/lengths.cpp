// Lengths that neither overflow nor vanish.
#include <cmath>

#pragma hone kernel in(x [0:n], y [0:n])out(r [0:n]) problem(n = 12000)
void lengths(const float* x, const float* y, float* r, int n) {
  for (int i = 0; i < n; ++i) r[i] = std::hypot(x[i], y[i]);
}
