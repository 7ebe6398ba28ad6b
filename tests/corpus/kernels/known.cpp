// What is no number counts as nothing.
#include <cmath>

static inline bool is_known(float v) { return !std::isnan(v); }

#pragma hone kernel in(x[0:n]) out(y[0:n], count[1]) problem(n = 20000)
void known(const float* x, float* y, int* count, int n) {
  int found = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = is_known(x[i]) ? 2.0f * x[i] : 0.0f;
    found += is_known(x[i]);
  }
  *count = found;
}
