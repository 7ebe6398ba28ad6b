// kernel: squash
// verdict: gate "GCC optimize"
// wall: harmless or verify ""
// tries: to change the flags for what comes after it, by the operator
#include <cmath>
_Pragma("GCC optimize(\"fast-math\")")
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
