// kernel: squash
// verdict: gate "__has_include"
// wall: harmless or compile "denied"
// tries: to ask the compiler whether a file exists
#include <cmath>
#if __has_include("@SENTINEL@")
#error "seen"
#endif
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
