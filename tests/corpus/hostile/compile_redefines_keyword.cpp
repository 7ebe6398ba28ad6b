// kernel: squash
// verdict: gate "reserved"
// wall: compile "" or verify ""
// tries: to make the rest of the unit mean something else
#include <cmath>
#define float double
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
