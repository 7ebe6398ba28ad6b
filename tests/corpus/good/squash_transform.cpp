// kernel: squash
// verdict: right
// tries: std::transform with a generic lambda
#include <algorithm>
#include <cmath>
#include <functional>
void squash(const float* x, float* y, int n, float a) {
  const auto f = [a](auto v) { return v / (decltype(v)(1) + std::sqrt(v * v + a)); };
  std::transform(x, x + std::max(n, 0), y, f);
}
