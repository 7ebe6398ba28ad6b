#include "tool/model/mixed_gain.h"

#include <algorithm>
#include <cmath>

namespace hone {
namespace {

constexpr double slower = 0.98;    // than the original, on one problem: less may be chance
constexpr double worth_it = 1.02;  // times what is known

}  // namespace

bool MixedGain::is_worth_it(double known) const {
  return !slower.empty() && promised > worth_it * std::max(known, 1.0);
}

MixedGain mixed_gain(const Measurement& measurement) {
  MixedGain gain;
  double logarithm = 0, weight = 0;
  for (std::size_t at = 0; at < measurement.problems.size(); ++at) {
    const ProblemMeasurement& problem = measurement.problems[at];
    weight += problem.weight;
    if (problem.speedup.median < slower)
      gain.slower.push_back(static_cast<int>(at));
    else
      logarithm += problem.weight * std::log(problem.speedup.median);
  }
  if (weight > 0) gain.promised = std::exp(logarithm / weight);
  return gain;
}

}  // namespace hone
