#include "tool/judge/time/second_timing.h"

#include <algorithm>
#include <utility>

namespace hone::judge {
namespace {

constexpr double short_look = 0.2;  // seconds: a thousand of the shortest samples

}  // namespace

bool needs_second_timing(const Timing& first) {
  return first.late_work || (first.misdeed.empty() && first.decision == statistics::Decision::faster);
}

statistics::AcceptanceRule rule_of_second_timing(const Timing& first, const bundle::Plan& plan) {
  if (first.late_work && first.decision == statistics::Decision::faster) return plan.rule;
  statistics::AcceptanceRule once = plan.rule;
  once.looks = {plan.depth == bundle::Depth::trial ? short_look : std::max(short_look, first.measurement.seconds)};
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
  if (first.decision != statistics::Decision::faster) return first;
  const bool confirmed = second.decision == statistics::Decision::faster;
  if (confirmed && first.measurement.speedup.median <= second.measurement.speedup.median) return first;
  second.remark += "; with threads that sleep where they wait";
  return second;
}

}  // namespace hone::judge
