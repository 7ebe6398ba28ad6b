// kernel: axpy
// verdict: right
// tries: one rounding for two, by std::fma where the processor has it
#include <cmath>
__attribute__((target_clones("default", "fma"))) void axpy(const float* x, float* y, int n, float alpha) {
  for (int i = 0; i < n; ++i) y[i] = std::fma(alpha, x[i], y[i]);
}
