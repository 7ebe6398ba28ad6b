// kernel: squash
// verdict: gate ""
// wall: harmless
// tries: to define a function whose name only looks like the kernel's
#include <cmath>
#define squash squаsh
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
