// kernel: product
// verdict: verify
// tries: what is no number everywhere, where a checker takes it for any number
// source: https://github.com/gpu-mode/pygpubench/pull/7
#include <limits>
void product(const float*, const float*, float* c, int m, int n, int) {
  for (int i = 0; i < m * n; ++i) c[i] = std::numeric_limits<float>::quiet_NaN();
}
