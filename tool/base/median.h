// The one median of this project: what decides and what is reported must be the same figure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace hone {

// The mean of the middle two where there is an even number of values; 0 of none. Reorders the values.
inline double median_in_place(std::span<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

inline double median(std::vector<double> values) {
  return median_in_place(values);
}

}  // namespace hone
