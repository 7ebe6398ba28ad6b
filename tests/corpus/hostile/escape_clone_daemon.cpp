// kernel: squash
// verdict: gate "syscall"
// wall: harmless
// tries: to start a process by clone, clone3 and vfork
#include <cmath>
#include <initializer_list>
extern "C" long syscall(long, ...);
extern "C" unsigned sleep(unsigned);
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  unsigned long arguments[11] = {};
  for (const long child : {syscall(56, 17L, 0L, 0L, 0L, 0L), syscall(435, arguments, sizeof arguments), syscall(57)}) {
    if (child == 0) for (;;) sleep(600);
    spoilt |= child > 0;
  }
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
