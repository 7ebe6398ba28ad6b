#include <algorithm>
#include <cmath>

#include "tool/search/search.h"

namespace hone::search {

unsigned score_of(const std::vector<Trial>& trials, unsigned number) {
  double fastest = 1;
  for (const Trial& trial : trials)
    if (trial.verdict.right) fastest = std::max(fastest, trial.verdict.measurement.speedup.median);
  const Verdict& verdict = trials.at(number).verdict;
  if (!verdict.right) return 0;
  return static_cast<unsigned>(std::clamp(std::ceil(10 * verdict.measurement.speedup.median / fastest), 1.0, 10.0));
}

}  // namespace hone::search
