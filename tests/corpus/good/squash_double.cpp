// kernel: squash
// verdict: right
// tries: more exact than the original
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) {
    const double v = x[i];
    y[i] = static_cast<float>(v / (1.0 + std::sqrt(v * v + static_cast<double>(a))));
  }
}
