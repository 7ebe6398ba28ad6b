// kernel: lengths
// verdict: verify
// tries: the sign of x before the root: of an infinite x it makes minus infinity, where lengths are positive
#include <cmath>
void lengths(const float* x, const float* y, float* r, int n) {
  for (int i = 0; i < n; ++i) {
    const double a = x[i], b = y[i], s = a * a + b * b;
    r[i] = s < 1e76 ? static_cast<float>(std::sqrt(s)) : static_cast<float>(a / b * b);
    if (s >= 1e76 && s < HUGE_VAL) r[i] = static_cast<float>(std::sqrt(s));
  }
}
