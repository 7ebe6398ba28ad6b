#include "tool/tune/trial/search_outcome.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tool/model/mixed_gain.h"

namespace hone::tune {

void SearchOutcome::count(const Verdict& verdict) {
  ++counts.total;
  if (verdict.stage <= Stage::compile && !verdict.right && first_refusal.empty()) first_refusal = verdict.reason;
  counts.compiled += verdict.stage > Stage::compile || verdict.right;
  counts.right += verdict.right;
  counts.faster += verdict.right && verdict.faster;
}

void SearchOutcome::keep(Accepted trial) {
  if (trial.verdict.right && trial.verdict.faster) return accepted.push_back(std::move(trial));
  if (!trial.verdict.right || !trial.candidate.behind_choice.empty()) return;
  const MixedGain gain = mixed_gain(trial.verdict.measurement);
  if (gain.is_worth_it(mixed ? mixed_gain(mixed->verdict.measurement).promised : 1)) mixed = std::move(trial);
}

void SearchOutcome::sort() {
  std::ranges::stable_sort(accepted, std::ranges::greater(),
                           [](const Accepted& one) { return one.verdict.measurement.speedup.median; });
}

unsigned lines_to_read(const std::string& source) {
  unsigned lines = 0;
  bool seen = false;
  for (const char byte : source + '\n') {
    if (byte == '\n') lines += std::exchange(seen, false) ? 1 : 0;
    seen |= byte != '\n' && byte != ' ' && byte != '\t' && byte != '\r';
  }
  return lines;
}

// A candidate takes about as long as opening did, since it is compiled and judged likewise; a winner is judged once
// more.
std::string nothing_judged(double opening, double budget) {
  std::string text = "the budget ended before a candidate was judged; the next tuning goes on";
  if (opening < budget / 4) return text;
  const double enough = std::max(2 * budget, 4 * opening);
  return text + fmt::format("; compiling and checking the original took {:.0f} of {:.0f} s, so give it --budget {}s",
                            opening, budget, 10 * static_cast<long>(std::ceil(enough / 10)));
}

}  // namespace hone::tune
