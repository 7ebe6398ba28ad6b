// Single values of the distributions that arrays are drawn from, and the walk over an array that draws them.
//
// Templates, so that the loops over large arrays are tight. Pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tool/base/random.h"
#include "tool/judge/data/parallel_blocks.h"
#include "tool/judge/data/scalar.h"
#include "tool/judge/process/subject.h"
#include "tool/model/kernel_spec.h"

namespace hone::judge {

// The range of a draw, with the bounds that apply to the type; for integers both ends are included.
struct Range {
  double low = -1, high = 1;
};

template <class T>
Range default_range() {
  if constexpr (is_floating<T>)
    return {-1, 1};
  else if constexpr (std::is_same_v<T, bool>)
    return {0, 1};
  else if constexpr (sizeof(T) == 1)
    return {static_cast<double>(std::numeric_limits<T>::min()), static_cast<double>(std::numeric_limits<T>::max())};
  else
    return std::numeric_limits<T>::is_signed ? Range{-1000, 1000} : Range{0, 2000};
}

template <class T>
T uniform_value(Range range, std::uint64_t bits) {
  if constexpr (is_floating<T>) {
    return from_double<T>(range.low + (range.high - range.low) * unit(bits));
  } else {
    const double width = std::min(std::max(std::floor(range.high) - std::ceil(range.low), 0.0), 0x1p63);
    return from_double<T>(std::ceil(range.low) +
                          static_cast<double>(below(bits, static_cast<std::uint64_t>(width) + 1)));
  }
}

// Floats by the million: 24 bits are all that they hold, and the loop stays free of conversions through double.
template <>
inline float uniform_value<float>(Range range, std::uint64_t bits) {
  const float low = static_cast<float>(range.low), width = static_cast<float>(range.high - range.low);
  return low + width * (static_cast<float>(static_cast<std::int32_t>(bits >> 40)) * 0x1p-24f);
}

template <class T>
T normal_value(double mean, double deviation, std::uint64_t bits) {
  const double radius = std::sqrt(-2 * std::log(1 - unit(bits)));
  return from_double<T>(mean + deviation * radius * std::cos(2 * std::numbers::pi * unit(mix(bits))));
}

inline double argument(const Init& init, const ExpressionValues& values, std::size_t number, double otherwise) {
  return number < init.arguments.size() ? values.reals[init.arguments[number]] : otherwise;
}

template <class T>
Range range_of(const Parameter& parameter, const ExpressionValues& values) {
  Range range = default_range<T>();
  if (!parameter.init) return range;
  range.low = argument(*parameter.init, values, 0, range.low);
  range.high = argument(*parameter.init, values, 1, range.high);
  if (parameter.init->distribution == Distribution::index) {
    if (parameter.init->arguments.size() == 1) range = {0, range.low};
    range.high -= 1;
  }
  return range;
}

template <class T>
T value_at(const Parameter& parameter, const ExpressionValues& values, std::uint64_t bits) {
  if (!parameter.init) return uniform_value<T>(default_range<T>(), bits);
  const Init& init = *parameter.init;
  switch (init.distribution) {
    case Distribution::normal:
      return normal_value<T>(argument(init, values, 0, 0), argument(init, values, 1, 1), bits);
    case Distribution::constant:
      return from_double<T>(argument(init, values, 0, 0));
    case Distribution::zeros:
      return from_double<T>(0);
    default:
      return uniform_value<T>(range_of<T>(parameter, values), bits);
  }
}

// One value in each n-th part of the range: sorted as drawn.
template <class T>
T sorted_value(Range range, std::size_t i, std::size_t count, std::uint64_t bits) {
  const double place = (static_cast<double>(i) + unit(bits)) / static_cast<double>(count);
  const double value = range.low + (range.high - range.low) * place;
  return from_double<T>(is_floating<T> ? value : std::floor(value));
}

// Calls f(element, pointer to the scalar) for each scalar of the field in the array, several at the same time.
template <class Function>
void each(const Parameter& parameter, const Field& field, std::size_t elements, std::byte* array, Function&& f) {
  const std::size_t stride = parameter.element.size;
  for_stretches(elements, stride, [&](std::size_t begin, std::size_t end) {
    if (field.count == 1) {
      for (std::size_t i = begin; i < end; ++i) f(i, array + i * stride + field.offset);
      return;
    }
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < field.count; ++k)
        f(i * field.count + k, array + i * stride + field.offset + k * field.type.size);
  });
}

}  // namespace hone::judge
