#include "tool/judge/time/second_timing.h"

#include <algorithm>
#include <utility>

namespace hone::evaluate {
namespace {

constexpr double short_look = 0.2;  // seconds: a thousand of the shortest samples

}  // namespace

bool needs_second_timing(const Timing& first) {
  return first.late_work || (first.misdeed.empty() && first.decision == Decision::faster);
}

AcceptanceRule rule_of_second_timing(const Timing& first, const Plan& plan) {
  if (first.late_work && first.decision == Decision::faster) return plan.rule;
  AcceptanceRule once = plan.rule;
  once.looks = {plan.depth == Depth::trial ? short_look : std::max(short_look, first.measurement.seconds)};
  once.shares.clear();
  return once;
}

Timing weigh(Timing first, Timing second) {
  if (!second.misdeed.empty()) {
    second.misdeed += ", with threads that sleep where they wait";
    return second;
  }
  if (!first.late_work) return first;
  first.late_work = false;
  first.misdeed.clear();
  if (first.decision != Decision::faster) return first;
  const bool confirmed = second.decision == Decision::faster;
  if (confirmed && first.measurement.speedup.median <= second.measurement.speedup.median) return first;
  second.remark += "; with threads that sleep where they wait";
  return second;
}

}  // namespace hone::evaluate
