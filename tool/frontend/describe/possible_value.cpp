#include "tool/frontend/describe/possible_value.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace hone::frontend {
namespace {

struct Range {
  double low = 0, high = 0;
};

Range range_of(const ScalarType& type) {
  const int bits = 8 * static_cast<int>(type.size);
  if (type.kind == ScalarKind::boolean) return {0, 1};
  if (type.kind == ScalarKind::unsigned_integer) return {0, std::ldexp(1, bits) - 1};
  return {-std::ldexp(1, bits - 1), std::ldexp(1, bits - 1) - 1};
}

double largest_real(const ScalarType& type) {
  if (type.size == 2) return type.brain ? std::numeric_limits<float>::max() : 65504;
  return type.size == 4 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

}  // namespace

std::string why_impossible(const Parameter& parameter, double value) {
  if (parameter.pointer || parameter.stream || parameter.element.fields.size() != 1) return "";
  const ScalarType type = parameter.element.fields.front().type;
  const auto says = [&](const std::string& what) {
    return fmt::format("'{}' is of type '{}', and {:g} {}", parameter.name, parameter.type, value, what);
  };
  if (type.kind == ScalarKind::floating)
    return std::isfinite(value) && std::abs(value) > largest_real(type) ? says("is too large for it") : "";
  if (value != std::trunc(value)) return says("is no whole number");
  const auto [low, high] = range_of(type);
  if (value < low || value > high)
    return fmt::format("'{}' is of type '{}', which holds {:.0f} to {:.0f}, and not {:.0f}", parameter.name,
                       parameter.type, low, high, value);
  return "";
}

std::string why_nothing_to_draw(Distribution distribution, double first, double second) {
  if (distribution == Distribution::uniform && first > second)
    return fmt::format("uniform({:g}, {:g}) has no values: the lower bound comes first", first, second);
  if (distribution == Distribution::index && first >= second)
    return fmt::format("index({:g}, {:g}) has no values: it is from the first to below the second", first, second);
  if (distribution == Distribution::normal && second < 0)
    return fmt::format("normal({:g}, {:g}) has a deviation below zero", first, second);
  return "";
}

}  // namespace hone::frontend
