// kernel: squash
// verdict: gate "fork"
// wall: harmless
// tries: to fork for ever
#include <cmath>
extern "C" int fork() noexcept;
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  for (int i = 0; i < 2000; ++i) if (fork() >= 0) spoilt = true;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
