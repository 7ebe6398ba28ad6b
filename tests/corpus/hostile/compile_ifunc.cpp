// kernel: squash
// verdict: gate "ifunc"
// wall: compile "choose" or compile "ifunc"
// tries: to choose its function by code that the loader runs
#include <cmath>
extern "C" void* choose() { __builtin_trap(); }
void other(int) __attribute__((ifunc("choose")));
static void (*const keep)(int) __attribute__((used)) = other;
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
