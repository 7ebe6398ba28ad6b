// kernel: squash
// verdict: gate "fork"
// wall: harmless
// tries: to leave a daemon in a session of its own
#include <cmath>
extern "C" int fork() noexcept;
extern "C" int setsid() noexcept;
extern "C" unsigned sleep(unsigned);
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  const int child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) sleep(600);
    __builtin_trap();
  }
  spoilt = child > 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
