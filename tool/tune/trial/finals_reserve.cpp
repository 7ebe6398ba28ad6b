#include "tool/tune/trial/finals_reserve.h"

#include <algorithm>

#include "tool/model/defaults.h"
#include "tool/model/mixed_gain.h"

namespace hone::tune {
namespace {

// The winner's own measurement takes more than any trial's: more data, and a whole proof beside. As much as so many of
// the longest judgment and finals_seconds, and on a busy machine a fifth more.
constexpr double judgments_reserved = 2, on_busy_machine = 1.2;
// Shares of the whole that are kept, and the most of them together. A choice by size comes on top.
constexpr double for_choosing = 0.05, for_reduction = 0.15, most = 0.4, most_for_choice = 0.2;
// The most as long as nothing is found: enough to measure what is found last.
constexpr double most_for_nothing = 0.15;
constexpr double longest_reduction = 60;  // seconds
// A smaller gain is not worth the time of a second measurement, or of a choice by size when the search has ended.
constexpr double gain_to_keep = 1.2;

}  // namespace

void FinalsReserve::judged(double seconds, const Verdict& verdict) {
  longest_ = std::max(longest_, seconds);
  const Measurement& measurement = verdict.measurement;
  if (verdict.right) promised_ = std::max(promised_, mixed_gain(measurement).promised);
  if (!verdict.faster || measurement.speedup.median < best_) return;
  found_ = true;
  best_ = measurement.speedup.median;
  doubtful_ = best_ >= gain_to_keep && std::ranges::any_of(measurement.problems, [](const ProblemMeasurement& problem) {
                return problem.speedup.low < 1;
              });
}

double FinalsReserve::to_measure(double planned) const {
  return std::min(on_busy_machine * (judgments_reserved * longest_ + finals_seconds), most * planned);
}

double FinalsReserve::to_measure_again(double planned) const {
  return doubtful_ ? to_measure(planned) : 0;
}

double FinalsReserve::to_reduce(double planned) const {
  return std::min(for_reduction * planned, longest_reduction);
}

double FinalsReserve::to_choose(double planned) const {
  return promised_ > gain_to_keep * best_ ? std::min(on_busy_machine * longest_, most_for_choice * planned) : 0;
}

double FinalsReserve::kept(double planned) const {
  const double choice = to_choose(planned);
  if (!found_ && choice == 0) return std::min(to_measure(planned), most_for_nothing * planned);
  return choice +
         std::min(to_measure(planned) + to_measure_again(planned) + to_reduce(planned) + for_choosing * planned,
                  most * planned);
}

}  // namespace hone::tune
