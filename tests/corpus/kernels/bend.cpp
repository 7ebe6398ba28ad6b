// A map that bends where nothing is drawn.
#include <cmath>

#pragma hone kernel in(x [0:n])out(y [0:n]) problem(n = 8000)
void bend(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = std::tanh(x[i]);
}
