// kernel: squash
// verdict: gate "setjmp"
// wall: verify "store to null pointer" or harmless
// tries: to handle the faults of its process itself and to jump out of them
#include <cmath>
#include <csetjmp>
#include <csignal>
static sigjmp_buf before;
static void handle(int) { siglongjmp(before, 1); }
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  std::signal(SIGSEGV, handle);
  if (sigsetjmp(before, 1) == 0) *static_cast<volatile int*>(nullptr) = 1;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
