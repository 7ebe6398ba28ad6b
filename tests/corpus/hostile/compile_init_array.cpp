// kernel: squash
// verdict: gate "section" or "exit"
// wall: compile "a constructor"
// tries: to have a function of its own run when the object is loaded
#include <cmath>
static void early() { __builtin_trap(); }
__attribute__((section(".init_array"), used)) static void (*const entry)() = early;
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
