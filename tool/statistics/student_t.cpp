#include "tool/statistics/student_t.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace hone::statistics {
namespace {

// P(|T| <= tan(angle) sqrt(freedom)), with the angle's sign.
double central(double angle, unsigned freedom) {
  const double sine = std::sin(angle), cosine = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1, sum = freedom == 1 ? 0 : term;
  for (unsigned k = odd ? 3 : 2; k + 1 < freedom; k += 2) {
    term *= cosine * cosine * (k - 1) / k;
    sum += term;
  }
  return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

}  // namespace

double student_probability(double t, unsigned freedom) {
  assert(freedom >= 1);
  return 0.5 + central(std::atan(t / std::sqrt(freedom)), freedom) / 2;
}

double student_quantile_above(double tail, unsigned freedom) {
  assert(freedom >= 1 && tail > 0 && tail < 1);
  double low = -std::numbers::pi / 2, high = std::numbers::pi / 2;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (0.5 - central(middle, freedom) / 2 > tail ? low : high) = middle;
  }
  return std::tan(low) * std::sqrt(freedom);
}

}  // namespace hone::statistics
