// kernel: squash
// verdict: gate ""
// wall: harmless
// tries: to show a reader another order of the text than the compiler's
#include <cmath>
/* ‮ } ⁦ return; ⁩ ⁦ begin */
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
