// Draws one field of an array by the case's pattern (pattern.h). A template, as the loops over plain draws are.
#pragma once

#include <optional>

#include "tool/judge/data/case.h"
#include "tool/judge/data/distribution.h"
#include "tool/judge/data/pattern.h"

namespace hone::judge {

template <class T>
constexpr int largest_exponent = std::numeric_limits<T>::max_exponent - 1;
template <>
inline constexpr int largest_exponent<Half> = 15;
template <>
inline constexpr int largest_exponent<Brain> = 127;

// Of the smallest power of two that is no denormal.
template <class T>
constexpr int normal_exponent = std::numeric_limits<T>::min_exponent - 1;
template <>
inline constexpr int normal_exponent<Half> = -14;
template <>
inline constexpr int normal_exponent<Brain> = -126;

// The next value upwards or downwards.
template <class T>
T beside(T value, bool up) {
  if constexpr (is_small_floating<T>) {
    const float number = to_float(value);
    if (number == 0) return value;
    return T{static_cast<std::uint16_t>(value.bits + ((number > 0) == up ? 1 : -1))};
  } else if constexpr (is_floating<T>) {
    return std::nextafter(value, up ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity());
  } else if constexpr (std::is_same_v<T, bool>) {
    return value;
  } else {
    const bool at_end = value == (up ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min());
    return at_end ? value : static_cast<T>(up ? value + 1 : value - 1);
  }
}

template <class T>
T magnitude_value(const Pattern& pattern, std::uint64_t bits) {
  const double most = std::min<double>(pattern.high, largest_exponent<T>);
  const double low = std::clamp<double>(pattern.low, -largest_exponent<T>, most);
  const double size = std::exp2(low + (most - low) * unit(bits));
  return from_double<T>(mix(bits) & 1 ? -size : size);
}

// The largest of them, which have nearly all of their bits.
template <class T>
T denormal_value(std::uint64_t bits) {
  const double size = std::exp2(-3 * unit(bits)) * 0.999;
  return from_double<T>(std::ldexp(mix(bits) & 1 ? -size : size, normal_exponent<T>));
}

template <class T>
T wide_value(const Pattern& pattern, std::uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>) {
    return bits & 1;
  } else {
    const double most = std::min<double>(pattern.high, std::numeric_limits<T>::digits);
    const double size = std::floor(std::exp2(most * unit(bits)));
    return from_double<T>(std::numeric_limits<T>::is_signed && mix(bits) & 1 ? -size : size);
  }
}

// A whole number, or a multiple of a power of two where init() leaves no room for several whole ones.
template <class T>
T exact_value(const Parameter& parameter, const ExpressionValues& values, std::uint64_t bits) {
  constexpr long long most = 3;
  if (!parameter.init) return from_double<T>(static_cast<double>(below(bits, 2 * most + 1)) - most);
  const Range range = range_of<T>(parameter, values);
  const double width = range.high - range.low;
  if (!(width > 0)) return from_double<T>(range.low);
  const double step = std::min(1.0, std::exp2(std::floor(std::log2(width / 4))));
  auto low = std::ceil(range.low / step), high = std::ceil(range.high / step) - 1;
  if (low <= 0 && high >= 0) low = std::max<double>(low, -most), high = std::min<double>(high, most);
  high = std::min<double>(high, low + 2 * most);
  return from_double<T>(step * (low + static_cast<double>(below(bits, static_cast<std::uint64_t>(high - low) + 1))));
}

// Does init() allow it?
template <class T>
bool is_allowed(const Parameter& parameter, const ExpressionValues& values, double value) {
  if (!parameter.init) return true;
  const Range range = range_of<T>(parameter, values);
  return value >= range.low && (is_floating<T> ? value < range.high : value <= range.high);
}

// One of the constants that the type holds and init() allows, or what stands beside it; else an ordinary value.
template <class T>
T constant_value(const Parameter& parameter, const Case& c, std::uint64_t bits) {
  const T ordinary = value_at<T>(parameter, c.values, bits);
  if (c.pattern.constants.empty() || (bits & 1)) return ordinary;
  double wanted = c.pattern.constants[below(mix(bits), c.pattern.constants.size())];
  if (bits & 32) wanted = -wanted;
  T value = from_double<T>(wanted);
  if (!is_floating<T> && as_double(value) != wanted) return ordinary;
  if (bits & 2) value = beside(value, bits & 4);
  return is_allowed<T>(parameter, c.values, as_double(value)) ? value : ordinary;
}

// The one that all elements are to have, if the type holds it and init() allows it; of floats else a power of two,
// whose sums are as exact: where the truth is not known, others may not stand for it.
template <class T>
std::optional<T> wanted_value(const Parameter& parameter, const Case& c) {
  if (c.pattern.constants.empty()) return std::nullopt;
  double wanted = c.pattern.constants.front();
  if (is_floating<T> && !is_allowed<T>(parameter, c.values, wanted)) {
    const double high = range_of<T>(parameter, c.values).high;
    if (high > 0) wanted = std::exp2(std::ceil(std::log2(high)) - 1);
  }
  if (!is_allowed<T>(parameter, c.values, wanted)) return std::nullopt;
  const T value = from_double<T>(wanted);
  return as_double(value) == wanted ? std::optional(value) : std::nullopt;
}

// With a few bits alone: sums of equal values must not round the same way each time, which no order of a sum shares.
template <class T>
T coarse(const Parameter& parameter, const ExpressionValues& values, T value) {
  if constexpr (!is_floating<T>) {
    return value;
  } else {
    const Range range = range_of<T>(parameter, values);
    if (!(range.high > range.low)) return value;
    const double step = std::exp2(std::floor(std::log2((range.high - range.low) / 32)));
    return from_double<T>(std::max(range.low, std::floor(as_double(value) / step) * step));
  }
}

template <class T>
T end_of_range(const Parameter& parameter, const Case& c, bool upper) {
  const Range range = range_of<T>(parameter, c.values);
  const double low = is_floating<T> ? range.low : std::ceil(range.low);
  if (!upper) return from_double<T>(low);
  if (!is_floating<T>) return from_double<T>(std::max(low, std::floor(range.high)));  // an empty range is its low end
  const T high = coarse(parameter, c.values, beside(from_double<T>(range.high), false));
  return as_double(high) < range.low ? from_double<T>(range.low) : high;
}

// The ends of the range, for as long as a loop may look back, and an ordinary value now and then.
template <class T>
T limit_value(const Parameter& parameter, const Case& c, std::uint64_t key, std::size_t i) {
  const std::uint64_t bits = bits_at(key, i), run = bits_at(key, i / (2 + (key >> 8) % 40));
  if (below(mix(bits), 16) == 0) return value_at<T>(parameter, c.values, bits);
  return end_of_range<T>(parameter, c, run & 1);
}

// Of what init() says is sorted: equal elements, in order.
template <class T>
T tied_value(const Parameter& parameter, const Case& c, std::uint64_t key, std::size_t i, std::size_t count) {
  const auto one_of = [&](std::size_t place, std::size_t places) {
    return sorted_value<T>(range_of<T>(parameter, c.values), place, places, bits_at(key, place));
  };
  const std::size_t few = 2 + (key >> 8) % 3, length = 2 + (key >> 8) % 40;
  switch (c.pattern.kind) {
    case PatternKind::equal:
      return one_of(0, 1);
    case PatternKind::few:
      return one_of(i * few / count, few);
    case PatternKind::runs:
      return one_of(i / length, (count + length - 1) / length);
    case PatternKind::limits:
      return end_of_range<T>(parameter, c, i >= below(mix(key), count + 1));
    default:
      return end_of_range<T>(parameter, c, mix(key) & 1);
  }
}

template <class T>
T sorted_pattern_value(const Parameter& parameter, const Case& c, std::uint64_t key, std::size_t i, std::size_t count) {
  const PatternKind kind = c.pattern.kind;
  const std::size_t fault = below(mix(key), std::max<std::size_t>(count, 2) - 1);
  std::size_t place = i;
  if (kind == PatternKind::one_fault) {
    if (i == fault && (key & 1)) return value_at<T>(parameter, c.values, bits_at(key, count));
    if (i == fault || i == fault + 1) place = std::min(fault + fault + 1 - i, count - 1);
  }
  if (kind == PatternKind::near_sorted) {  // blocks of a few, half of them turned around
    const std::size_t width = std::size_t{2} << (key >> 4) % 3, block = i / width;
    if ((block + 1) * width <= count && (block == 0 || (bits_at(key, count + block) & 1)))
      place = block * width + (width - 1 - i % width);
  }
  const bool either_way = kind == PatternKind::one_fault || kind == PatternKind::near_sorted;
  if (kind == PatternKind::descending || (either_way && (key & 2))) place = count - 1 - place;
  return coarse(parameter, c.values,
                sorted_value<T>(range_of<T>(parameter, c.values), place, count, bits_at(key, place)));
}

// Strings that are compared have much in common. Where one is longer, an element in its middle is repeated, so that all
// begin and end alike; of those of one length one element may differ.
template <class T>
T alike_value(const Parameter& parameter, const Case& c, std::uint64_t key, std::size_t i, std::size_t count) {
  const std::uint64_t common = derive(c.seed, 0xa11e);
  std::size_t shortest = count, longest = count;
  for (const Array& array : c.arrays)
    if (2 * array.elements > count) {
      shortest = std::min(shortest, array.elements);
      longest = std::max(longest, array.elements);
    }
  const std::size_t more = count - shortest, at = below(mix(common), std::max<std::size_t>(shortest, 1));
  if (shortest == longest && (key & 2) && i == below(mix(key), count))
    return value_at<T>(parameter, c.values, bits_at(key, i));
  const std::size_t place = i <= at ? i : std::max(at, i - std::min(i, more));
  return value_at<T>(parameter, c.values, bits_at(common, place));
}

// What is searched for is found many times, and many times nearly.
template <class T>
T copies_value(const Parameter& parameter, const Case& c, std::uint64_t key, std::size_t i, std::size_t count) {
  const std::uint64_t common = derive(c.seed, 0xc091);
  std::size_t shortest = count;
  for (const Array& array : c.arrays)
    if (array.elements > 1) shortest = std::min(shortest, array.elements);
  const std::size_t copy = i / std::max<std::size_t>(shortest, 1), place = i % std::max<std::size_t>(shortest, 1);
  const std::uint64_t fault = bits_at(key, count + copy);
  const bool is_fault = count > shortest && (fault & 1) && place == below(mix(fault), shortest);
  return value_at<T>(parameter, c.values, is_fault ? bits_at(key, i) : bits_at(common, place));
}

// A small shape far from the origin: what is computed from differences is right, what cancels is not.
template <class T>
T offset_value(const Parameter& parameter, const Case& c, std::uint64_t key, std::uint64_t bits) {
  const Range range = range_of<T>(parameter, c.values);
  const double width = range.high - range.low, spread = std::ldexp(width, -8 - static_cast<int>(below(mix(key), 8)));
  const double from = range.low + unit(mix(key + 1)) * std::max(width - spread, 0.0);
  return from_double<T>(is_floating<T> ? from + spread * unit(bits) : std::floor(from + spread * unit(bits)));
}

// What init() does not allow is an ordinary value.
template <class T>
T signed_value(const Parameter& parameter, const Case& c, std::uint64_t bits, T value) {
  const double wanted = as_double(value) * (static_cast<double>(below(bits, 3)) - 1);
  const T result = from_double<T>(wanted);
  return as_double(result) == wanted && is_allowed<T>(parameter, c.values, wanted) ? result : value;
}

template <class T>
T positive_value(const Parameter& parameter, const Case& c, std::uint64_t bits) {
  const T value = value_at<T>(parameter, c.values, bits);
  const double size = std::fabs(as_double(value));
  if (!is_allowed<T>(parameter, c.values, size)) return value;
  const T positive = from_double<T>(size);
  return as_double(positive) == size ? positive : value;
}

// The first row or column, or any other.
inline bool is_on_line(const Pattern& pattern, std::uint64_t key, std::size_t i, std::size_t count) {
  const bool first = key & 1;
  if (pattern.is_column) return i % pattern.width == (first ? 0 : below(mix(key), pattern.width));
  return i / pattern.width == (first ? 0 : below(mix(key), std::max<std::size_t>(count / pattern.width, 1)));
}

// Of element number i.
template <class T>
T pattern_value(const Parameter& parameter, const Case& c, std::uint64_t key, std::size_t i, std::size_t count) {
  if (parameter.init && parameter.init->distribution == Distribution::sorted)
    return tied_value<T>(parameter, c, key, i, count);
  const std::uint64_t bits = bits_at(key, i);
  // Integers of all arrays from the same few: what is searched for is found.
  const std::uint64_t palette = is_floating<T> ? mix(key) : derive(c.seed, 0xfe3);
  const auto one_of = [&](std::uint64_t number) {
    return coarse(parameter, c.values, value_at<T>(parameter, c.values, bits_at(palette, number)));
  };
  switch (c.pattern.kind) {
    case PatternKind::few:
      return one_of(below(bits, 2 + (key >> 8) % 3));
    case PatternKind::equal:
      return wanted_value<T>(parameter, c).value_or(one_of(0));
    case PatternKind::runs:
      return one_of(i / (2 + (key >> 8) % 40));
    case PatternKind::ascending:
    case PatternKind::descending:
    case PatternKind::one_fault:
    case PatternKind::near_sorted:
      return sorted_pattern_value<T>(parameter, c, key, i, count);
    case PatternKind::alike:
      return alike_value<T>(parameter, c, key, i, count);
    case PatternKind::copies:
      return copies_value<T>(parameter, c, key, i, count);
    case PatternKind::closed:
      return value_at<T>(parameter, c.values, i + 1 == count ? bits_at(key, 0) : bits);
    case PatternKind::offset:
      return offset_value<T>(parameter, c, key, bits);
    case PatternKind::signs:
      return signed_value<T>(parameter, c, bits, one_of(0));
    case PatternKind::periodic:
      return one_of(i % (2 + (key >> 8) % 7));
    case PatternKind::limits:
      return limit_value<T>(parameter, c, key, i);
    case PatternKind::corner:
      return end_of_range<T>(parameter, c, mix(key) & 1);
    case PatternKind::constants:
      return constant_value<T>(parameter, c, bits);
    case PatternKind::positive:
      return positive_value<T>(parameter, c, bits);
    case PatternKind::zero_line:
      if (is_on_line(c.pattern, key, i, count)) return T{};
      break;
    default:
      break;
  }
  if constexpr (is_floating<T>) {
    switch (c.pattern.kind) {
      case PatternKind::magnitudes:
        return magnitude_value<T>(c.pattern, bits);
      case PatternKind::denormals:
        return denormal_value<T>(bits);
      case PatternKind::signed_zeros:
        return bits & 1 ? one_of(i) : from_double<T>(bits & 2 ? -0.0 : 0.0);
      case PatternKind::only_zeros:
        return from_double<T>(bits & 2 ? -0.0 : 0.0);
      case PatternKind::exact:
      case PatternKind::whole:
        return exact_value<T>(parameter, c.values, bits);
      default:
        break;
    }
  } else if (c.pattern.kind == PatternKind::wide) {
    return wide_value<T>(c.pattern, bits);
  } else if (c.pattern.kind == PatternKind::ends) {
    return bits & 1 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  }
  return value_at<T>(parameter, c.values, bits);
}

template <class T>
void draw_pattern(const Parameter& parameter, const Case& c, const Field& field, std::uint64_t key,
                  std::size_t elements, std::byte* array) {
  const std::size_t count = elements * field.count;
  const bool as_ever = is_floating<T> && c.pattern.integers_only;
  each(parameter, field, elements, array, [&](std::size_t i, std::byte* at) {
    T value =
        as_ever ? value_at<T>(parameter, c.values, bits_at(key, i)) : pattern_value<T>(parameter, c, key, i, count);
    if constexpr (is_floating<T>)
      if (c.pattern.nudged) value = beside(value, mix(bits_at(key, i)) & 1);
    store(at, value);
  });
}

}  // namespace hone::judge
