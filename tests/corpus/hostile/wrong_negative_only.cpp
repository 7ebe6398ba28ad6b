// kernel: squash
// verdict: verify "expected"
// tries: to be right for inputs that are not negative
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i] < 0 ? -x[i] : x[i];
    y[i] = v / (1.0f + std::sqrt(v * v + a));
  }
}
