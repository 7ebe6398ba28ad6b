#include "tool/tune/trial/play_off.h"

#include <algorithm>

namespace hone::tune {
namespace {

// Each comparison takes about as long as a judgment.
constexpr std::size_t most_asked = 3;
constexpr std::size_t most_looked_at = 8;
constexpr double wide = 0.1;        // of the median: a narrower interval leaves no doubt about who is the fastest
constexpr double for_lines = 0.03;  // of the speed: what a shorter text may lose, and a longer one must gain

bool is_wide(const Speedup& speedup) {
  return speedup.high - speedup.low >= wide * speedup.median;
}

double median_of(const Accepted& one) {
  return one.verdict.measurement.speedup.median;
}

// What `other` must be, times as fast as the leader, who lost something for its own lines already: losses do not add
// up.
double least_for(unsigned lines_of_leader, unsigned lines_of_other, double lost) {
  if (lines_of_other < lines_of_leader) return (1 - for_lines) / lost;
  return lines_of_other > lines_of_leader ? 1 + for_lines : 1;
}

}  // namespace

void play_off(std::vector<Accepted>& accepted, const Compare& compare) {
  if (accepted.empty()) return;
  const Speedup first = accepted.front().verdict.measurement.speedup;
  const bool open = is_wide(first);
  std::size_t leader = 0, asked = 0;
  double lost = 1;
  bool in_time = true;  // else the search's own figures tell whether a shorter one is about as fast
  for (std::size_t other = 1; other < std::min(accepted.size(), most_looked_at) && asked < most_asked; ++other) {
    const unsigned lines = lines_to_read(accepted[other].candidate.source),
                   fewest = lines_to_read(accepted[leader].candidate.source);
    if (accepted[other].verdict.measurement.speedup.high < first.low || (!open && lines >= fewest)) continue;
    const auto speedup =
        in_time ? compare(accepted[leader].candidate.source, accepted[other].candidate.source) : std::nullopt;
    in_time = speedup.has_value();
    asked += in_time;
    if (!in_time && lines >= fewest) continue;
    const double ratio = in_time ? speedup->median : median_of(accepted[other]) / median_of(accepted[leader]);
    if (ratio <= least_for(fewest, lines, lost)) continue;
    lost = std::min(lost * ratio, 1.0);
    leader = other;
  }
  std::rotate(accepted.begin(), accepted.begin() + static_cast<std::ptrdiff_t>(leader),
              accepted.begin() + static_cast<std::ptrdiff_t>(leader) + 1);
}

}  // namespace hone::tune
