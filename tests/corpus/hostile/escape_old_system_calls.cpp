// kernel: squash
// verdict: gate "assembly"
// wall: harmless or verify "SIGSYS" or "crashed"
// tries: to make a system call of the 32-bit kind, which a filter for 64-bit numbers may not know
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  int result = 2;  // fork, there
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  if (result == 0) for (;;) asm volatile("pause");
  spoilt = result > 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
