#include "matcher.h"

#include <stdexcept>

#include "correlation.h"

namespace tremor {

Catalog Matcher::find(const Recording& recording) const {
  const std::vector<float>& signal = recording.samples();
  const std::vector<float>& pattern = known_.samples();
  if (recording.rate() != known_.rate()) throw std::invalid_argument("the rates differ");
  if (signal.size() < pattern.size()) throw std::invalid_argument("the recording is too short");
  std::vector<float> score(signal.size() - pattern.size() + 1);
  correlate(signal.data(), static_cast<int>(signal.size()), pattern.data(), static_cast<int>(pattern.size()),
            score.data());
  Catalog found = pick(score, threshold_, pattern.size());
  measure(found, recording, pattern.size());
  return found;
}

}  // namespace tremor
