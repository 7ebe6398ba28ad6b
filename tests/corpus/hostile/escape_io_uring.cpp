// kernel: squash
// verdict: gate "syscall"
// wall: harmless
// tries: to reach files through io_uring, bpf, perf events and userfaultfd
#include <cmath>
extern "C" long syscall(long, ...);
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  char parameters[256] = {};
  spoilt = syscall(425, 8, parameters) >= 0 || syscall(321, 0, parameters, 64) >= 0 || syscall(298, parameters, 0, -1, -1, 0) >= 0 ||
           syscall(323, 0) >= 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
