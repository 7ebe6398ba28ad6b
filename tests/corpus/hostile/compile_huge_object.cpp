// kernel: squash
// verdict: gate "filler" or compile ""
// wall: compile ""
// tries: to fill the disk with its object
#include <cmath>
static const char filler[1u << 30] = {1};
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a)) + filler[n + i];
}
