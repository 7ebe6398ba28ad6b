// kernel: squash
// verdict: gate "open"
// wall: harmless
// tries: to read what only root may read
#include <cmath>
extern "C" int open(const char*, int, ...);
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  spoilt = open("/etc/shadow", 0) >= 0 || open("/root/.bashrc", 0) >= 0 || open("/proc/@JUDGE@/mem", 2) >= 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
