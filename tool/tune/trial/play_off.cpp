#include "tool/tune/trial/play_off.h"

#include <algorithm>

namespace hone::tune {
namespace {

// The leader and those whom a doubt of a tenth may have put behind it. Each comparison takes as long as a judgment.
constexpr std::size_t most_contenders = 4;
constexpr double wide = 0.1;  // of the median: a narrower interval leaves no such doubt

}  // namespace

void play_off(std::vector<Accepted>& accepted, const Compare& compare) {
  if (accepted.empty()) return;
  const Speedup first = accepted.front().verdict.measurement.speedup;
  if (first.high - first.low < wide * first.median) return;
  std::size_t leader = 0;
  for (std::size_t other = 1; other < std::min(accepted.size(), most_contenders); ++other) {
    if (accepted[other].verdict.measurement.speedup.high < first.low) continue;
    const auto speedup = compare(accepted[leader].candidate.source, accepted[other].candidate.source);
    if (!speedup) break;
    if (speedup->median > 1) leader = other;
  }
  std::rotate(accepted.begin(), accepted.begin() + static_cast<std::ptrdiff_t>(leader),
              accepted.begin() + static_cast<std::ptrdiff_t>(leader) + 1);
}

}  // namespace hone::tune
