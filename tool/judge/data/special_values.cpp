#include "tool/judge/data/special_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tool/base/random.h"
#include "tool/judge/data/elements.h"
#include "tool/judge/data/layout.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

constexpr unsigned places = 4;
constexpr std::size_t tail = 8;  // elements that a vectorized loop may leave to its end

// The first element, the last, among the last few, anywhere.
std::size_t place(unsigned round, std::size_t elements, Random& random) {
  switch (round % places) {
    case 0:
      return 0;
    case 1:
      return elements - 1;
    case 2:
      return elements - 1 - random.below(std::min(elements, tail));
    default:
      return random.below(elements);
  }
}

template <class T>
std::vector<double> values_of(const SpecialValues& special) {
  using Limits = std::numeric_limits<std::conditional_t<is_small_floating<T>, float, T>>;
  const auto of_size = [](double half, double single, double wide) {
    return std::is_same_v<T, Half> ? half : sizeof(T) <= 4 ? single : wide;
  };
  const double sign = special.round % 2 ? -1 : 1;
  switch (special.kind) {
    case Special::small:
      return {sign * 0.0,
              sign * -0.0,
              static_cast<double>(Limits::denorm_min() * 8),
              -static_cast<double>(Limits::denorm_min() * 3),
              1.0,
              -1.0,
              static_cast<double>(Limits::min())};
    case Special::huge:
      return {of_size(1e3, 1e15, 1e100)};
    case Special::exponential_overflows:
      return {sign * of_size(12, 100, 750)};
    case Special::square_overflows:
      return {sign * of_size(320, 3e19, 3e154)};
    case Special::far_square_overflows:
      return {sign * of_size(3200, 3e20, 3e156)};
    case Special::largest:
      if constexpr (std::is_same_v<T, Brain>) return {sign * 0x1.fep127};
      return {sign * of_size(65504, static_cast<double>(std::numeric_limits<float>::max()),
                             std::numeric_limits<double>::max())};
    case Special::nan:
      return {std::nan("")};
    case Special::infinite:
      return {sign * HUGE_VAL};
    case Special::all_infinite:
      return {-HUGE_VAL};
    default:
      return {};
  }
}

bool may_hold(const Parameter& parameter, bool floating) {
  return parameter.pointer && !parameter.init && parameter.role != Role::out &&
         std::ranges::any_of(parameter.element.fields, [&](const Field& field) {
           return floating ? field.type.kind == ScalarKind::floating : is_integer(field.type);
         });
}

std::vector<int> arrays_of(const KernelData& spec, const Case& c, bool floating) {
  std::vector<int> arrays;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i)
    if (may_hold(spec.parameters[i], floating) && c.arrays[i].elements > 0) arrays.push_back(static_cast<int>(i));
  return arrays;
}

const char* name_of(const SpecialValues& special) {
  const bool negative = special.round % 2;
  switch (special.kind) {
    case Special::huge:
      return "a huge value";
    case Special::exponential_overflows:
      return "a value whose exponential overflows";
    case Special::square_overflows:
      return "a value whose square overflows";
    case Special::largest:
      return negative ? "the lowest value" : "the largest value";
    case Special::nan:
      return "nan";
    case Special::infinite:
      return negative ? "-inf" : "inf";
    case Special::all_infinite:
      return "nothing but -inf";
    case Special::integer_extremes:
      return "the extremes of its type";
    default:
      return "zeros, denormals and ones";
  }
}

}  // namespace

std::vector<SpecialElement> special_elements(const Parameter& parameter, const Field& field, const Case& c,
                                             unsigned index) {
  const std::size_t elements = c.arrays[index].elements;
  const SpecialValues& special = c.special;
  const bool chosen = special.parameter < 0 || special.parameter == static_cast<int>(index);
  if (special.kind == Special::none || !chosen || !parameter.pointer || parameter.init || elements == 0) return {};
  std::vector<double> values;
  visit_scalar(field.type, [&]<class T>(Tag<T>) {
    if constexpr (is_floating<T>)
      values = values_of<T>(special);
    else if (special.kind == Special::integer_extremes && is_integer(field.type))
      values = {static_cast<double>(std::numeric_limits<T>::max()), static_cast<double>(std::numeric_limits<T>::min())};
  });
  Random random(derive(c.seed, 0x59ec1a1 + index + (field.offset << 16)));
  std::vector<SpecialElement> result;
  if (special.kind == Special::all_infinite && !values.empty())
    for (std::size_t n = 0; n < elements * field.count; ++n)
      result.push_back({n / field.count, n % field.count, values.front()});
  if (!result.empty()) return result;
  unsigned round = special.round;
  for (const double value : values)
    result.push_back({place(values.size() > 2 ? 3 : round++, elements, random), random.below(field.count), value});
  return result;
}

std::string special_name(const SpecialValues& special) {
  return special.kind == Special::none ? "" : name_of(special);
}

std::string special_words(const KernelData& spec, const Case& c) {
  if (c.special.kind == Special::none) return "";
  std::string where;
  const KernelData& drawn = c.drawn_as ? *c.drawn_as : spec;
  for (unsigned i = 0; i < drawn.parameters.size(); ++i) {
    const Parameter& parameter = drawn.parameters[i];
    if (!parameter.pointer || parameter.role == Role::out) continue;
    std::string in;
    for (const Field& field : parameter.element.fields)
      for (const SpecialElement& at : special_elements(parameter, field, c, i))
        in = in.empty() ? element_name(parameter, c.arrays[i], static_cast<long long>(at.element), field.name)
                        : parameter.name;
    if (!in.empty()) where += (where.empty() ? "" : ", ") + in;
  }
  return where.empty() ? "" : fmt::format("{} in {}", name_of(c.special), where);
}

std::vector<SpecialValues> special_values(const KernelData& spec, const Case& like, SpecialScope scope,
                                          bool finite_math) {
  const std::vector<int> arrays = arrays_of(spec, like, true);
  std::vector<SpecialValues> list;
  if (arrays.empty()) return list;
  list.push_back({Special::small, -1, 0});
  const bool many = scope == SpecialScope::many;
  // Every array gets its turn before any a second one: the time may run out.
  for (unsigned round = 0; round < (many ? places : 1); ++round)
    for (unsigned n = 0; n < arrays.size(); ++n) {
      const unsigned at = many ? round : n + 1;
      if (!finite_math) list.push_back({Special::nan, arrays[n], at});
      if (round == 0 || round == 2) list.push_back({Special::huge, arrays[n], at + 1});
      if (round == 0 || round == 1) list.push_back({Special::exponential_overflows, arrays[n], at});
      if (!finite_math && many && round == 0) list.push_back({Special::all_infinite, arrays[n], 0});
      if (!finite_math && (round == 1 || round == 2 || !many)) list.push_back({Special::infinite, arrays[n], at});
      if (round == 1 || round == 3) list.push_back({Special::square_overflows, arrays[n], at});
      if (round == 3) list.push_back({Special::largest, arrays[n], at});
    }
  return list;
}

std::vector<SpecialValues> integer_extremes(const KernelData& spec, const Case& like) {
  std::vector<SpecialValues> list;
  for (const unsigned round : {0u, 2u})
    for (const int array : arrays_of(spec, like, false)) list.push_back({Special::integer_extremes, array, round});
  return list;
}

double largest_value(const ScalarType& type) {
  return visit_scalar(type, []<class T>(Tag<T>) {
    if constexpr (is_floating<T>)
      return values_of<T>({.kind = Special::largest}).front();
    else
      return 0.0;
  });
}

namespace {

constexpr double room_for_order = 4;  // of what the original's own rounding moves: another order may lose more

// Does rounding decide about an answer that is a number? Where the original has none when it rounds the other way, no
// number is right, too.
bool is_within_rounding(const ErrorAt& at, double up, double down) {
  if (!std::isfinite(at.got)) return !std::isfinite(up) || !std::isfinite(down);
  double moved = 0;
  for (const double other : {up, down})
    if (std::isfinite(other)) moved = std::max(moved, std::fabs(other - at.expected));
  return std::fabs(at.got - at.expected) <= at.allowed + room_for_order * moved;
}

}  // namespace

bool may_be_another(Special kind, const ErrorAt& at, const OtherAnswers& others, double greatest) {
  const auto& truth = others.truth;
  if (std::isfinite(at.expected)) {
    const bool overflows_likewise =
        std::isnan(at.got) || (std::isinf(at.got) && std::signbit(at.got) == std::signbit(at.expected));
    if (kind == Special::largest && overflows_likewise && std::fabs(at.expected) > greatest / 1024) return true;
    if (others.farther && !std::isfinite(*others.farther) && !std::isfinite(at.got)) return true;
    if (others.up && others.down && is_within_rounding(at, *others.up, *others.down)) return true;
    return truth && std::isfinite(*truth) &&
           std::fabs(at.got - *truth) <= std::max(at.allowed, std::fabs(at.expected - *truth));
  }
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const bool number = std::isfinite(at.got);
  if (kind == Special::small && others.flipped && !same(*others.flipped, at.expected))
    return !number || same(*others.flipped, at.got);
  const bool overflows = kind == Special::huge || kind == Special::exponential_overflows;
  if (!truth) return overflows && (number || std::isnan(at.expected) || std::isnan(at.got));
  if (!std::isfinite(*truth)) return same(*truth, at.got) || (kind == Special::huge && number);
  const double allowed = at.allowed + std::max(at.rtol, 1e-6) * std::fabs(*truth);
  return !number || std::fabs(at.got - *truth) <= allowed;
}

Promise promise_of(const SpecialValues& special, const Comparison& comparison, const std::byte* ordinary,
                   const std::byte* with_special) {
  const bool through = lets_through(special.kind);
  if (special.kind != Special::nan && !through) return {.kept = true};
  Promise promise;
  for (const Field& field : comparison.element.fields)
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      double order = 0;
      if constexpr (is_floating<T>) order = std::fabs(values_of<T>(special).front()) / 1000;
      each_scalar(comparison, field, [&](std::size_t at, std::size_t) {
        if (std::memcmp(ordinary + at, with_special + at, sizeof(T)) == 0) return;
        if constexpr (is_floating<T>) {
          const double before = as_double(load<T>(ordinary + at)), after = as_double(load<T>(with_special + at));
          if (std::isnan(before) && std::isnan(after)) return;  // poison, or a NaN of its own
          if (through)
            promise.kept |= std::isfinite(after) && std::fabs(after) >= order;
          else
            (std::isnan(after) ? promise.kept : promise.astray) = true;
        } else if (!through) {
          promise.astray = true;
        }
      });
    });
  return promise;
}

}  // namespace hone::judge
