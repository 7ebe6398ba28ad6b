#include "tool/judge/verify/coarse_scales.h"

#include <cstddef>

#include "tool/judge/data/comparison.h"

namespace hone::judge {

Bench::Scales coarse_scales(const std::vector<View>& views, Bench::Scales scales) {
  for (const View& view : views)
    for (std::size_t f = 0; f < scales[view.output].size(); ++f) {
      const ScalarType& type = view.comparison.element.fields[f].type;
      scales[view.output][f] *= type.size == 2 ? (type.brain ? 3 : 50) : type.size == 4 ? 5e3 : 5e10;
      if (type.size == 4) scales[view.output][f] /= growth_of_tolerance(view.comparison);
    }
  return scales;
}

}  // namespace hone::judge
