// A map: one float in, one float out.
#include <cmath>

static inline float squashed(float v, float a) { return v / (1.0f + std::sqrt(v * v + a)); }

#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n = 20000, a = 0.5f)
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = squashed(x[i], a);
}
