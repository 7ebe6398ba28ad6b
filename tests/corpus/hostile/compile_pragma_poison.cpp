// kernel: squash
// verdict: gate "poison"
// wall: compile "" or harmless
// tries: to forbid a word that the harness needs
#include <cmath>
#pragma GCC poison slots result
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
