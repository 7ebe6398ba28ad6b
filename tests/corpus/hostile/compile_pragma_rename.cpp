// kernel: squash
// verdict: gate "redefine_extname"
// wall: harmless or verify "" or compile ""
// tries: to bind the harness to another symbol by a pragma
#include <cmath>
#pragma redefine_extname hone_call hone_problem
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
