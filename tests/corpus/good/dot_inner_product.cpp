// kernel: dot
// verdict: right
// tries: std::inner_product over valarray's cousins
#include <numeric>
double dot(const float* x, const float* y, int n) {
  return std::inner_product(x, x + (n < 0 ? 0 : n), y, 0.0, [](double s, double t) { return s + t; },
                            [](float l, float r) { return static_cast<double>(l) * r; });
}
