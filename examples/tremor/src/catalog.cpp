#include "catalog.h"

#include <algorithm>
#include <cmath>

namespace tremor {

Catalog pick(const std::vector<float>& score, float threshold, std::size_t apart) {
  Catalog catalog;
  for (std::size_t i = 0; i < score.size(); ++i) {
    if (score[i] < threshold) continue;
    if (!catalog.empty() && i - catalog.rbegin()->first < apart) {
      if (catalog.rbegin()->second.similarity >= score[i]) continue;
      catalog.erase(std::prev(catalog.end()));
    }
    catalog[i].similarity = score[i];
  }
  return catalog;
}

void measure(Catalog& catalog, const Recording& recording, std::size_t length) {
  const std::vector<float>& x = recording.samples();
  const std::size_t around = 100 * length;
  for (auto& [place, tremor] : catalog) {
    tremor.peak = 0;
    for (std::size_t i = place; i < std::min(place + length, x.size()); ++i)
      tremor.peak = std::max(tremor.peak, std::fabs(x[i]));
    const std::size_t begin = place < around ? 0 : place - around, end = std::min(place + around, x.size());
    float sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += std::fabs(x[i]);
    tremor.background = end > begin ? sum / static_cast<float>(end - begin) : 0;
  }
}

}  // namespace tremor
