// kernel: squash
// verdict: gate "runs by itself" or "static" or "initiali"
// wall: compile "a constructor"
// tries: to run code in the initialiser of a constant
#include <cmath>
static int early() { __builtin_trap(); }
static const int value = early();
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
