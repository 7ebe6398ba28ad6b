// kernel: lengths
// verdict: right
// tries: double has room for the squares of all floats; infinities come first
#include <cmath>
void lengths(const float* x, const float* y, float* r, int n) {
  for (int i = 0; i < n; ++i) {
    const double a = x[i], b = y[i];
    r[i] = std::isinf(a) || std::isinf(b) ? HUGE_VALF : static_cast<float>(std::sqrt(a * a + b * b));
  }
}
