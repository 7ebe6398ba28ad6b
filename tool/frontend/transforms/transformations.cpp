#include "tool/frontend/transforms/transformation.h"

#include <algorithm>

namespace hone::frontend {

// One maker per file.
std::unique_ptr<Transformation> make_vectorise_outer();
std::unique_ptr<Transformation> make_unroll_jam();

const Transformations& transformations() {
  static const Transformations table = [] {
    Transformations all;
    all.push_back(make_vectorise_outer());
    all.push_back(make_unroll_jam());
    return all;
  }();
  return table;
}

const Transformation* find_transformation(std::string_view name) {
  for (const auto& transformation : transformations())
    if (transformation->name() == name) return transformation.get();
  return nullptr;
}

int argument(const std::vector<int>& arguments, std::size_t index, int fallback, int low, int high) {
  if (index >= arguments.size() || arguments[index] < low || arguments[index] > high) return fallback;
  return arguments[index];
}

}  // namespace hone::frontend
