#include "tool/tune/trial/stop_rule.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hone::tune {
namespace {

// Of a trial that is not the first: the mean over 170 trials of 30 recorded searches, and as many trials as that
// counts.
constexpr double recorded_gain = 0.03, recorded_weight = 2;

}  // namespace

bool StopRule::knows_limit() const {
  return !least_.empty() && std::ranges::all_of(least_, [](const LeastTime& least) { return least.seconds > 0; });
}

double StopRule::share_of(const Measurement& measurement) const {
  double sum = 0, weight = 0;
  for (const ProblemMeasurement& problem : measurement.problems) {
    const auto least = std::ranges::find(least_, problem.label, &LeastTime::problem);
    if (least == least_.end() || !(least->seconds > 0) || !(problem.candidate_seconds > 0)) return 0;
    sum += problem.weight * std::log(least->seconds / problem.candidate_seconds);
    weight += problem.weight;
  }
  return weight > 0 ? std::exp(sum / weight) : 0;
}

double StopRule::gain_of(const Verdict& verdict) {
  const double speedup = verdict.right && verdict.faster ? verdict.measurement.speedup.median : 0;
  if (speedup <= best_) return 0;
  const double gain = std::log(speedup / best_);
  best_ = speedup;
  share_ = share_of(verdict.measurement);
  return gain;
}

void StopRule::start(const Verdict& known) {
  gain_of(known);
}

void StopRule::told(const Verdict& verdict) {
  const double gain = gain_of(verdict);
  if (++told_ > 1) gained_ += gain;
}

double StopRule::expected_gain() const {
  const double counted = told_ > 1 ? told_ - 1 : 0;
  return (recorded_weight * recorded_gain + gained_) / (recorded_weight + counted);
}

std::optional<std::string> StopRule::reason() const {
  if (limits_.until > 0 && share_ >= limits_.until)
    return fmt::format("the best is at {:.0f}% of the limit", 100 * share_);
  if (limits_.least_gain > 0 && told_ > 0 && expected_gain() < limits_.least_gain)
    return fmt::format("a further trial was expected to gain less than {:g}%", 100 * limits_.least_gain);
  return std::nullopt;
}

}  // namespace hone::tune
