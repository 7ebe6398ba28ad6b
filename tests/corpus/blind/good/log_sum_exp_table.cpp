// kernel: log_sum_exp
// verdict: right
// tries: an inlined exponential from a table of 32 roots of two in double, with four maxima and sums
#include <cmath>
#include <cstdint>
#include <cstring>
namespace {
struct Roots {
  double v[32];
  constexpr Roots() : v() {
    double p = 1;
    for (double& e : v) e = p, p *= 1.0218971486541166;
  }
};
constexpr Roots roots;
inline double exponential(double t) {  // Of what is at most zero, or NaN.
  t = t < -200 ? -200 : t;
  const double z = t * (32 * 1.4426950408889634), magic = 6755399441055744.0;
  const double rounded = z + magic;
  std::uint64_t k;
  std::memcpy(&k, &rounded, 8);
  const double r = (z - (rounded - magic)) * (0.6931471805599453 / 32);
  const double p = 1 + r * (1 + r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24))));
  std::uint64_t bits;
  std::memcpy(&bits, &roots.v[k & 31], 8);
  bits += (k >> 5) << 52;
  double power;
  std::memcpy(&power, &bits, 8);
  return p * power;
}
}  // namespace
void log_sum_exp(const float* x, float* y, int rows, int cols) {
  for (int r = 0; r < rows; ++r, x += cols) {
    float m[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    int c = 0;
    for (; c + 4 <= cols; c += 4)
      for (int l = 0; l < 4; ++l) m[l] = x[c + l] > m[l] ? x[c + l] : m[l];
    float most = m[0];
    for (int l = 1; l < 4; ++l)
      if (m[l] > most) most = m[l];
    for (; c < cols; ++c)
      if (x[c] > most) most = x[c];
    double s[4] = {};
    for (c = 0; c + 4 <= cols; c += 4)
      for (int l = 0; l < 4; ++l) s[l] += exponential(x[c + l] - most);
    double sum = (s[0] + s[1]) + (s[2] + s[3]);
    for (; c < cols; ++c) sum += exponential(x[c] - most);
    y[r] = most + std::log(static_cast<float>(sum));
  }
}
