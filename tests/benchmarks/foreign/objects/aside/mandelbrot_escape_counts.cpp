// Escape counts of the Mandelbrot iteration for a list of points: a Complex struct with operators and a while loop.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fractal {

struct Complex {
  double re;
  double im;

  Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
  Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  double norm() const { return re * re + im * im; }
};

}  // namespace fractal

namespace {

constexpr double kEscapeNorm = 4.0;

int escape_time(const fractal::Complex& c, int limit) {
  fractal::Complex z{0.0, 0.0};
  int steps = 0;
  while (steps < limit && z.norm() <= kEscapeNorm) {
    z = z * z + c;
    ++steps;
  }
  return steps;
}

}  // namespace

#pragma hone kernel out(counts[0:counts.size()]) problem(seeds.size()=801, counts.size()=801, limit=24)
void mandelbrot_escape_counts(const std::vector<fractal::Complex>& seeds, std::vector<std::uint16_t>& counts,
                              int limit) {
  const std::size_t n = std::min(seeds.size(), counts.size());
  for (std::size_t i = 0; i < n; ++i) {
    counts[i] = static_cast<std::uint16_t>(escape_time(seeds[i], limit));
  }
}
