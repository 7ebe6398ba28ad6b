// kernel: flag_outliers
// verdict: right
// standard: c++20
// tries: erfc falls, so alpha becomes a threshold for its argument, found by bisection once a call; only arguments within 1e-9 of it, and NaN, are given to erfc
#include <cmath>
#include <cstdint>

int flag_outliers(const float* x, int n, Rule rule, uint8_t* marks) {
  double below = -40, above = 40;  // erfc is 2 and 0 there
  for (int step = 0; n >= 256 && step < 64; ++step) {
    const double middle = (below + above) / 2;
    if (std::erfc(middle) < rule.alpha) above = middle;
    else below = middle;
  }
  const double sure = above + 1e-9 * (1 + std::fabs(above)), never = above - 1e-9 * (1 + std::fabs(above));
  const bool usable = n >= 256 && rule.alpha > 1e-300 && rule.alpha < 1.999;  // flat ends are not bisected
  int found = 0;
  for (int i = 0; i < n; ++i) {
    const double z = std::fabs(x[i] - rule.mean) / rule.sigma * 0.70710678118654752440;
    bool mark;
    if (usable && z > sure) mark = true;
    else if (usable && z < never) mark = false;
    else mark = std::erfc(z) < rule.alpha;
    if (mark) {
      marks[i >> 3] = static_cast<uint8_t>(marks[i >> 3] | 1 << (i & 7));
      ++found;
    }
  }
  return found;
}
