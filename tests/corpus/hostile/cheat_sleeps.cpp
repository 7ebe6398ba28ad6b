// kernel: squash
// verdict: gate "usleep" or "unistd.h"
// wall: harmless
// tries: to spend wall time instead of processor time
#include <cmath>
extern "C" int usleep(unsigned);
void squash(const float* x, float* y, int n, float a) {
  usleep(300);
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
