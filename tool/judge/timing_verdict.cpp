#include "tool/judge/timing_verdict.h"

#include <fmt/format.h>

namespace hone::judge {
namespace {

constexpr double surely_slower = 1 / 1.02;  // the rule's own margin, the other way round

// The figures may be the machine's doing.
std::string busy(const Timing& timing) {
  if (!timing.measurement.noisy) return "";
  return fmt::format("; the machine was busy (CPU/wall {:.2f})", timing.cpu_share);
}

std::string words(const Timing& timing, const std::string& figure) {
  if (timing.decision == statistics::Decision::faster) return "faster: " + figure;
  if (timing.decision == statistics::Decision::undecided && timing.too_noisy)
    return fmt::format("undecided: {}; the machine is too noisy (CPU/wall {:.2f}, spread of pairs {:.0f}%)", figure,
                       timing.cpu_share, 100 * timing.spread);
  for (const ProblemMeasurement& problem : timing.measurement.problems)
    if (problem.speedup.high < surely_slower)
      return fmt::format("slower on {}: {:.2f}x; overall {}{}", problem.label, problem.speedup.median, figure,
                         busy(timing));
  return "not faster: " + figure + busy(timing);
}

}  // namespace

TimingVerdict conclude(const Timing& timing, const std::string& errors) {
  using Code = DiagnosticCode;
  if (!timing.misdeed.empty())
    return {Stage::time, false, false, timing.of_original ? Code::original_unfit : Code::wrong_while_timed,
            timing.misdeed};
  const Speedup& speedup = timing.measurement.speedup;
  const std::string figure =
      fmt::format("{:.2f}x ({:.2f}..{:.2f}){}{}", speedup.median, speedup.low, speedup.high, errors, timing.remark);
  const bool faster = timing.decision == statistics::Decision::faster;
  return {faster ? Stage::done : Stage::time, true, faster, faster ? Code::none : Code::not_faster,
          words(timing, figure)};
}

}  // namespace hone::judge
