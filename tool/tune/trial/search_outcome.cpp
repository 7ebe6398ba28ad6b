#include "tool/tune/trial/search_outcome.h"

#include <algorithm>
#include <utility>

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

}  // namespace hone::tune
