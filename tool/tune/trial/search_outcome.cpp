#include "tool/tune/trial/search_outcome.h"

#include <algorithm>
#include <utility>

namespace hone::tune {

void SearchOutcome::count(const Verdict& verdict) {
  ++counts.total;
  if (verdict.stage <= Stage::compile && !verdict.right && first_refusal.empty()) first_refusal = verdict.reason;
  counts.compiled += verdict.stage > Stage::compile || verdict.right;
  counts.right += verdict.right;
  counts.faster += verdict.right && verdict.faster;
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
