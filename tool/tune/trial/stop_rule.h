// When a search has found enough, though trials and time are left: what is found is near the limit, or what a further
// trial can be expected to bring is not worth it.
//
//   until        the best takes no longer than the least time that the machine's rates allow, divided by this share: a
//                limit of 100 us and a share of 0.95 end the search at 105 us. Problems count by their weight.
//   least_gain   a further trial is expected to gain less. What is expected is the mean gain of the trials so far, the
//                first left out, as every search gains most with it. Before that says anything a trial is expected to
//                gain what one did in the recorded searches, which counts as much as two trials.
// A gain is the logarithm of the ratio of two best times: 0.01 is one percent. What is told later may show that it was
// not enough: then there is no reason any more. Neither rule is on by itself: docs/BENCHMARKS.md has what they cost.
// Holds figures, reads no clock. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/model/verdict.h"

namespace hone::tune {

struct StopLimits {
  double until = 0;       // 0: whatever the limit
  double least_gain = 0;  // 0: as long as there are trials
};

struct LeastTime {
  std::string problem;  // its label
  double seconds = 0;   // 0: not known
};

class StopRule {
 public:
  StopRule() = default;
  // Without a least time for each problem `until` never ends a search.
  StopRule(StopLimits limits, std::vector<LeastTime> least) : limits_(limits), least_(std::move(least)) {}

  // Known before the first trial: no trial of this search.
  void start(const Verdict& known);
  // One trial, right or not, in the order of telling.
  void told(const Verdict& verdict);
  // Why the search is over, in words; nullopt: it goes on.
  std::optional<std::string> reason() const;

  bool knows_limit() const;
  double best() const { return best_; }    // how many times as fast as the original the fastest is
  double share() const { return share_; }  // of the limit that the best reaches; 0: not known
  double expected_gain() const;

 private:
  double gain_of(const Verdict& verdict);
  double share_of(const Measurement& measurement) const;

  StopLimits limits_;
  std::vector<LeastTime> least_;
  double best_ = 1;
  double share_ = 0;
  unsigned told_ = 0;
  double gained_ = 0;  // by trials after the first
};

}  // namespace hone::tune
