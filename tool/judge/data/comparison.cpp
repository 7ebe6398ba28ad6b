#include "tool/judge/data/comparison.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tool/base/random.h"
#include "tool/judge/data/elements.h"
#include "tool/judge/data/scalar.h"
#include "tool/model/defaults.h"

namespace hone::judge {
namespace {

template <class T>
constexpr double epsilon = std::numeric_limits<T>::epsilon();
template <>
constexpr double epsilon<Half> = 0x1p-10;
template <>
constexpr double epsilon<Brain> = 0x1p-7;

template <class T>
constexpr double smallest = static_cast<double>(std::numeric_limits<T>::denorm_min());
template <>
constexpr double smallest<Half> = 0x1p-24;
template <>
constexpr double smallest<Brain> = 0x1p-133;

// Bits of the significand.
template <class T>
constexpr int digits = std::numeric_limits<T>::digits;
template <>
constexpr int digits<Half> = 11;
template <>
constexpr int digits<Brain> = 8;

template <class T>
constexpr double rtol_of = default_rtol(sizeof(T), std::is_same_v<T, Brain>);
// However long a sum is: an output that may be anything is not compared.
constexpr double most_rtol = 0.1;

template <class T>
struct Limits {
  double rtol = 0, atol = 0, ulp = -1;
  double tiny = 0;  // what denormals lose in sums of products
  bool exact = false;
};

template <class T>
Limits<T> limits_of(const Comparison& comparison) {
  const Tolerance& tolerance = comparison.tolerance;
  Limits<T> limits;
  limits.exact = tolerance.exact;
  limits.tiny = 4 * smallest<T> * std::sqrt(static_cast<double>(comparison.data_elements) + 1);
  limits.atol = tolerance.atol.value_or(0);
  if (tolerance.ulp) limits.ulp = *tolerance.ulp;
  if (tolerance.rtol) {
    limits.rtol = *tolerance.rtol;
  } else if (!tolerance.ulp) {
    const double grown = 4 * epsilon<T> * std::sqrt(static_cast<double>(comparison.data_elements));
    limits.rtol = std::clamp(grown, rtol_of<T>, std::min(100 * rtol_of<T>, most_rtol));
  }
  return limits;
}

double spacing(double value, double relative) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(relative, exponent - 1);
}

template <class T>
double allowed_error(const Limits<T>& limits, double scale, double expected) {
  const double allowed = limits.atol + limits.tiny + limits.rtol * std::max(std::fabs(expected), scale);
  return limits.ulp >= 0 ? std::max(allowed, limits.ulp * spacing(expected, epsilon<T>)) : allowed;
}

// What the original left of the finite numbers.
bool keeps_promise(Special special, double expected, double got) {
  const bool is_nan = std::isnan(expected);
  if (special == Special::square_overflows || special == Special::largest) return true;  // it overflowed somewhere
  return is_nan ? std::isnan(got) : expected == got;
}

template <class T>
bool is_right(const Limits<T>& limits, Special special, double scale, T expected_value, T got_value,
              const T* ordinary) {
  if constexpr (!is_floating<T>) {
    if (expected_value == got_value) return true;
    // An integer that a NaN or a huge number became is whatever the conversion made of it.
    return special != Special::integer_extremes && ordinary && *ordinary != expected_value;
  } else {
    if constexpr (std::is_same_v<T, long double>) {
      if (expected_value == got_value) return true;  // double would round both
    }
    const double expected = as_double(expected_value), got = as_double(got_value);
    if (!std::isfinite(expected)) return keeps_promise(special, expected, got);
    if (!std::isfinite(got)) return false;
    if (limits.exact) return expected == got && !std::is_same_v<T, long double>;  // those were compared above
    double error = std::fabs(got - expected);
    if constexpr (std::is_same_v<T, long double>) error = static_cast<double>(std::fabs(got_value - expected_value));
    return error <= allowed_error(limits, scale, expected);
  }
}

template <class T>
void add_mismatch(std::optional<Mismatch>& found, const Field& field, std::size_t offset, std::size_t element,
                  const std::byte* expected, const std::byte* got) {
  if (!found)
    found = Mismatch{element,
                     offset,
                     sizeof(T),
                     field.name,
                     print_scalar(field.type, got + offset),
                     print_scalar(field.type, expected + offset),
                     0};
  ++found->count;
}

// The first is told, all are counted.
void merge(const std::optional<Mismatch>& part, std::optional<Mismatch>& found) {
  if (!part) return;
  if (found)
    found->count += part->count;
  else
    found = part;
}

struct Position {
  std::size_t element, offset;
};

template <class T>
ErrorAt error_at(const Limits<T>& limits, std::size_t field, double scale, Position at, T want, T have) {
  const double expected = as_double(want), finite = std::isfinite(expected) ? expected : 0;
  const double allowed = limits.exact ? 0 : allowed_error(limits, scale, finite);
  return {.element = at.element,
          .offset = at.offset,
          .field = field,
          .scalar = 0,
          .expected = expected,
          .got = as_double(have),
          .allowed = allowed,
          .atol = limits.atol,
          .magnitude = std::max(std::fabs(expected), scale),
          .rtol = limits.rtol};
}

template <class T>
void find_wrong(const Comparison& comparison, std::size_t field_number, double scale, const std::byte* expected,
                const std::byte* got, std::optional<Mismatch>& found) {
  const Field& field = comparison.element.fields[field_number];
  const Limits<T> limits = limits_of<T>(comparison);
  const auto look = [&](std::optional<Mismatch>& part, std::size_t offset, std::size_t element) {
    const T want = load<T>(expected + offset), have = load<T>(got + offset);
    T ordinary{};
    if (comparison.ordinary) ordinary = load<T>(comparison.ordinary + offset);
    if (is_right<T>(limits, comparison.special, scale, want, have, comparison.ordinary ? &ordinary : nullptr)) return;
    if constexpr (is_floating<T>)
      if (comparison.pardons &&
          comparison.pardons(error_at<T>(limits, field_number, scale, {element, offset}, want, have)))
        return;
    if (!written_by_neither(comparison, offset, sizeof(T), expected, got))
      add_mismatch<T>(part, field, offset, element, expected, got);
  };
  for (const auto& part : each_scalar_by_blocks<std::optional<Mismatch>>(comparison, field, look)) merge(part, found);
}

}  // namespace

Poison::Poison(const ElementType& element, std::uint64_t key) {
  const std::uint64_t bits = mix(key);
  std::memcpy(pattern_, &bits, sizeof pattern_);
  const auto any = [&](auto&& holds) { return std::ranges::any_of(element.fields, holds); };
  if (!any([](const Field& f) { return f.type.kind == ScalarKind::floating; })) return;
  // Read as binary16, binary32 or binary64 at any multiple of their size, these are NaN, or numbers of ordinary size of
  // either sign; the rest of the bits is random.
  std::uint64_t pattern =
      key & 1 ? 0x3f803f803f803f80u | (bits & 0x807f807f807f807fu) : 0x7ff87fc07fc07fc0u | (bits & 0x003f003f003f003fu);
  // An x87 number without its leading one is none.
  if (key & 1 && any([](const Field& f) { return f.type.kind == ScalarKind::floating && f.type.size > 8; }))
    pattern |= 0x8000000000000000u;
  std::memcpy(pattern_, &pattern, sizeof pattern_);
}

void Poison::fill(std::byte* to, std::size_t bytes) const {
  for_stretches(bytes, 1, [&](std::size_t i, std::size_t end) {  // which begin where the pattern does
    for (; i + sizeof pattern_ <= end; i += sizeof pattern_) std::memcpy(to + i, pattern_, sizeof pattern_);
    std::memcpy(to + i, pattern_, end - i);
  });
}

bool Poison::covers(const std::byte* from, std::size_t offset, std::size_t bytes) const {
  for (std::size_t i = 0; i < bytes; ++i)
    if (from[i] != static_cast<std::byte>(pattern_[(offset + i) % sizeof pattern_])) return false;
  return true;
}

bool written_by_neither(const Comparison& comparison, std::size_t offset, std::size_t bytes, const std::byte* expected,
                        const std::byte* got) {
  return comparison.unwritten && comparison.got_unwritten &&
         comparison.unwritten->covers(expected + offset, offset, bytes) &&
         comparison.got_unwritten->covers(got + offset, offset, bytes);
}

double growth_of_tolerance(const Comparison& comparison) {
  if (comparison.tolerance.rtol || comparison.tolerance.ulp) return 1;
  return limits_of<float>(comparison).rtol / rtol_of<float>;
}

std::vector<double> scales_of(const Comparison& comparison, const std::byte* expected) {
  std::vector<double> scales;
  for (const Field& field : comparison.element.fields) {
    struct Squares {
      double sum = 0;
      std::size_t count = 0;
    } all;
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      if constexpr (is_floating<T>) {
        const auto add = [&](Squares& squares, std::size_t offset, std::size_t) {
          const double value = as_double(load<T>(expected + offset));
          const double square = value * value;  // a NaN or an overflow stays out
          if (!std::isfinite(square)) return;
          if (comparison.unwritten && comparison.unwritten->covers(expected + offset, offset, sizeof(T))) return;
          squares.sum += square;
          ++squares.count;
        };
        for (const Squares& part : each_scalar_by_blocks<Squares>(comparison, field, add)) {
          all.sum += part.sum;
          all.count += part.count;
        }
      }
    });
    scales.push_back(all.count ? std::sqrt(all.sum / static_cast<double>(all.count)) : 0);
  }
  return scales;
}

std::optional<Mismatch> compare(const Comparison& comparison, const std::byte* expected, const std::byte* got) {
  std::optional<Mismatch> found;
  if (equal_bytes(expected, got, comparison.array.bytes)) return found;
  const std::vector<double> scales = comparison.scales.empty() ? scales_of(comparison, expected) : comparison.scales;
  for (std::size_t f = 0; f < comparison.element.fields.size(); ++f) {
    visit_scalar(comparison.element.fields[f].type,
                 [&]<class T>(Tag<T>) { find_wrong<T>(comparison, f, scales[f], expected, got, found); });
  }
  return found;
}

void each_error(const Comparison& comparison, const std::byte* expected, const std::byte* got,
                const std::function<void(const ErrorAt&)>& f) {
  const std::vector<double> scales = comparison.scales.empty() ? scales_of(comparison, expected) : comparison.scales;
  for (std::size_t number = 0; number < comparison.element.fields.size(); ++number) {
    const Field& field = comparison.element.fields[number];
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      if constexpr (is_floating<T>) {
        const Limits<T> limits = limits_of<T>(comparison);
        std::size_t scalar = 0;
        each_scalar(comparison, field, [&](std::size_t offset, std::size_t element) {
          const T want = load<T>(expected + offset), have = load<T>(got + offset);
          if (written_by_neither(comparison, offset, sizeof(T), expected, got)) return void(++scalar);
          ErrorAt at = error_at<T>(limits, number, scales[number], {element, offset}, want, have);
          at.scalar = scalar++;
          f(at);
        });
      }
    });
  }
}

namespace {

// Calls f(Tag<T>{}, field number, offset) for each floating scalar that was written.
template <class Function>
void each_written(const Comparison& comparison, const std::byte* data, Function&& f) {
  for (std::size_t number = 0; number < comparison.element.fields.size(); ++number) {
    const Field& field = comparison.element.fields[number];
    visit_scalar(field.type, [&]<class T>(Tag<T> tag) {
      if constexpr (is_floating<T>)
        each_scalar(comparison, field, [&](std::size_t offset, std::size_t) {
          if (comparison.unwritten && comparison.unwritten->covers(data + offset, offset, sizeof(T))) return;
          f(tag, number, offset);
        });
    });
  }
}

}  // namespace

bool all_finite(const Comparison& comparison, const std::byte* data) {
  bool finite = true;
  each_written(comparison, data, [&]<class T>(Tag<T>, std::size_t, std::size_t offset) {
    finite &= static_cast<bool>(std::isfinite(as_double(load<T>(data + offset))));
  });
  return finite;
}

bool is_steady(const Comparison& comparison, const std::byte* data, const std::byte* nudged) {
  bool steady = true;
  const std::vector<double> scales = comparison.scales.empty() ? scales_of(comparison, data) : comparison.scales;
  const Tolerance& given = comparison.tolerance;
  each_written(comparison, data, [&]<class T>(Tag<T>, std::size_t field, std::size_t offset) {
    const double value = as_double(load<T>(data + offset)), other = as_double(load<T>(nudged + offset));
    const double rtol = std::max(given.rtol.value_or(rtol_of<T>) / 8, 4 * epsilon<T>);
    const double allowed =
        given.atol.value_or(0) / 8 + limits_of<T>(comparison).tiny + rtol * std::max(std::fabs(value), scales[field]);
    steady &= std::fabs(value - other) <= allowed;
  });
  return steady;
}

bool is_exact(const Comparison& comparison, const std::byte* data) {
  bool exact = true;
  each_written(comparison, data, [&]<class T>(Tag<T>, std::size_t, std::size_t offset) {
    const double value = as_double(load<T>(data + offset));
    int exponent = 0;
    std::frexp(value, &exponent);
    const int room = digits<T> - 3 - exponent;  // three bits of the significand that rounding would have filled
    const double whole = std::ldexp(value, std::clamp(room, 0, 6));
    exact &= room >= 0 && whole == std::floor(whole);
  });
  return exact;
}

std::optional<Mismatch> differ(const Comparison& comparison, const std::byte* first, const std::byte* second,
                               const Poison& first_poison, const Poison& second_poison) {
  std::optional<Mismatch> found;
  for (const Field& field : comparison.element.fields)
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      const auto look = [&](std::optional<Mismatch>& part, std::size_t offset, std::size_t element) {
        if (std::memcmp(first + offset, second + offset, value_bytes<T>) == 0) return;
        if constexpr (is_floating<T>) {
          const bool nan =
              std::isnan(as_double(load<T>(first + offset))) && std::isnan(as_double(load<T>(second + offset)));
          const bool unwritten = first_poison.covers(first + offset, offset, sizeof(T)) &&
                                 second_poison.covers(second + offset, offset, sizeof(T));
          if (nan || unwritten) return;
        } else if (first_poison.covers(first + offset, offset, sizeof(T)) &&
                   second_poison.covers(second + offset, offset, sizeof(T))) {
          return;
        }
        add_mismatch<T>(part, field, offset, element, first, second);
      };
      for (const auto& part : each_scalar_by_blocks<std::optional<Mismatch>>(comparison, field, look))
        merge(part, found);
    });
  return found;
}

}  // namespace hone::judge
