// The median of samples: of an even number of them, the upper of the two in the middle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hone::judge {

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace hone::judge
