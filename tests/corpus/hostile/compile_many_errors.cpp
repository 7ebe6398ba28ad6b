// kernel: squash
// verdict: gate "TEN"
// wall: compile "not declared"
// tries: to flood the judge with errors
#include <cmath>
#define TEN(m) m m m m m m m m m m
static int f() { TEN(TEN(TEN(TEN(nowhere;)))) return 0; }
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
