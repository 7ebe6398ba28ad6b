#include "band_pass.h"

#include <cmath>

namespace tremor {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Butterworth's, by the bilinear transform.
std::vector<float> second_order(const std::vector<float>& x, double frequency, double rate, bool high_pass) {
  const double w = 2 * kPi * frequency / rate, alpha = std::sin(w) / std::sqrt(2.0), a0 = 1 + alpha;
  const double edge = high_pass ? (1 + std::cos(w)) / 2 : (1 - std::cos(w)) / 2,
               middle = high_pass ? -2 * edge : 2 * edge;
  std::vector<float> y(x.size());
  biquad(x.data(), y.data(), static_cast<int>(x.size()), static_cast<float>(edge / a0), static_cast<float>(middle / a0),
         static_cast<float>(edge / a0), static_cast<float>(-2 * std::cos(w) / a0),
         static_cast<float>((1 - alpha) / a0));
  return y;
}

}  // namespace

void biquad(const float* x, float* y, int n, float b0, float b1, float b2, float a1, float a2) {
  float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  for (int i = 0; i < n; ++i) {
    const float now = b0 * x[i] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x[i];
    y2 = y1;
    y1 = now;
    y[i] = now;
  }
}

Recording BandPass::apply(const Recording& recording) const {
  const double rate = recording.rate();
  return Recording(rate, second_order(second_order(recording.samples(), low_, rate, true), high_, rate, false));
}

}  // namespace tremor
