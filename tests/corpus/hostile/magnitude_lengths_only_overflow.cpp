// kernel: lengths
// verdict: verify
// tries: to scale what is large and nothing else: (3e-25, 4e-25) has length 0
#include <algorithm>
#include <cmath>
void lengths(const float* x, const float* y, float* r, int n) {
  for (int i = 0; i < n; ++i) {
    const float a = std::fabs(x[i]), b = std::fabs(y[i]), most = std::max(a, b), least = std::min(a, b);
    if (!(most < 1e18f)) {
      r[i] = std::hypot(x[i], y[i]);
      continue;
    }
    r[i] = std::sqrt(most * most + least * least);
  }
}
