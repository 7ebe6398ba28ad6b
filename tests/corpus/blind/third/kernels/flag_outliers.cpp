// Marks measurements that a normal distribution makes less often than alpha, in a bit map that other rules
// have marked before. Returns how many this rule finds.
#include <cmath>
#include <cstdint>

struct Rule {
  double mean, sigma, alpha;
};

#pragma hone kernel in(x[0:n]) inout(marks[0:(n+7)/8]) problem(n=262144) problem(n=20000) threads(4) \
    init(x: normal(0, 1), rule.mean: uniform(-0.5, 0.5), rule.sigma: uniform(0.5, 2), rule.alpha: uniform(0, 0.2))
int flag_outliers(const float* x, int n, Rule rule, uint8_t* marks) {
  int found = 0;
  for (int i = 0; i < n; ++i) {
    const double z = std::fabs(x[i] - rule.mean) / rule.sigma;
    if (std::erfc(z * 0.70710678118654752440) < rule.alpha) {
      marks[i >> 3] = static_cast<uint8_t>(marks[i >> 3] | 1 << (i & 7));
      ++found;
    }
  }
  return found;
}
