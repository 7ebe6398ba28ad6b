// kernel: squash
// verdict: gate "kill"
// wall: harmless
// tries: to kill the process that judges, its parent and its group
#include <cmath>
extern "C" int kill(int, int) noexcept;
extern "C" int getppid() noexcept;
extern "C" int getpgrp() noexcept;
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  spoilt = kill(@JUDGE@, 9) == 0 || kill(getppid(), 9) == 0 || kill(-getpgrp(), 9) == 0 || kill(0, 9) == 0 || kill(-1, 9) == 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
