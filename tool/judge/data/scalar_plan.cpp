#include "tool/judge/data/scalar_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tool/base/random.h"
#include "tool/judge/data/distribution.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

constexpr double nudge = 8;                  // units in the last place
constexpr double much_larger = 32;           // times the declared value
constexpr std::size_t most_enumerators = 6;  // of one scalar, so that others have their turn

bool is_single(const Parameter& parameter) {
  return !parameter.pointer && !parameter.stream && !parameter.composed && parameter.element.fields.size() == 1 &&
         parameter.element.fields.front().count == 1;
}

bool is_floating_scalar(const Parameter& parameter) {
  return is_single(parameter) && scalar_type(parameter).kind == ScalarKind::floating;
}

// Does init() say what it holds, and no problem?
bool is_described(const KernelData& spec, const Case& like, unsigned index) {
  const auto& assigned = spec.problems[like.problem].assigned;
  return spec.parameters[index].init && std::ranges::find(assigned, index) == assigned.end();
}

bool may_vary(const KernelData& spec, const Case& like, unsigned index) {
  const Parameter& parameter = spec.parameters[index];
  return is_single(parameter) && !parameter.fixed && !is_described(spec, like, index);
}

// The ends of the range that init() gives a scalar: draws hardly meet what is special about them.
std::vector<Override> ends_of_range(const KernelData& spec, const Case& like, unsigned index) {
  const Parameter& parameter = spec.parameters[index];
  const Distribution distribution = parameter.init ? parameter.init->distribution : Distribution::normal;
  if (!is_single(parameter) || parameter.fixed || !is_described(spec, like, index)) return {};
  if (distribution != Distribution::uniform && distribution != Distribution::index) return {};
  const ScalarType& type = scalar_type(parameter);
  const Range range = visit_scalar(type, [&]<class T>(Tag<T>) { return range_of<T>(parameter, like.values); });
  if (!(range.low <= range.high)) return {};
  std::vector<Override> ends;
  for (const double end : {range.high, range.low}) {
    // Whole numbers beyond 2^62 are no long long for certain.
    if (type.kind != ScalarKind::floating && std::fabs(end) >= 0x1p62) continue;
    if (type.kind == ScalarKind::floating)
      ends.push_back({index, 0, end});
    else
      ends.push_back({index, static_cast<long long>(end == range.low ? std::ceil(end) : std::floor(end)), 0});
  }
  return ends;
}

double far_factor(const ScalarType& type) {
  return type.size == 2 && !type.brain ? 100 : 1e4;
}

constexpr std::size_t most_source_constants =
    4;  // likely thresholds of the source, so that other values have their turn

// Numbers of the original's text: what it compares the scalar with may be among them.
std::vector<double> some_constants(const KernelData& spec) {
  return {spec.constants.begin(),
          spec.constants.begin() + static_cast<std::ptrdiff_t>(std::min(spec.constants.size(), most_source_constants))};
}

std::vector<double> other_reals(const ScalarType& type, double declared, Reach reach, Random& random) {
  const double order = declared == 0 || !std::isfinite(declared) ? 1 : declared;
  const auto near = [&] { return order * (random.below(2) ? 1.25 + random.uniform() : 0.4 + 0.4 * random.uniform()); };
  const double first = near(), second = near(), far = far_factor(type);
  const double close = order * (0.9 + 0.09 * random.uniform()), between = order + (1 - order) * random.uniform();
  const double next_to_one = order + (1 - order) * (0.5 + 0.4 * random.uniform());
  std::vector<double> values{first, second};
  const bool share = order > 0 && order < 1;  // what must stay below one, as decays do; what is far back then counts
  if (share) values.insert(values.begin(), next_to_one);
  // A quarter below zero: where a root needs more than that, most data stay within its domain.
  for (const double other : {0.0, 1.0, -order / 4, -1.0, order / far, order * far, close, order * 2 - close, -first})
    values.push_back(other);
  if (share) values.push_back(between);
  if (reach == Reach::far && type.size >= 4)
    values.insert(values.end(), {order * far * far * far, order / far / far / far});
  return values;
}

std::vector<long long> values_beside(const Parameter& parameter, long long declared, Reach reach, Random& random) {
  const ScalarType& type = scalar_type(parameter);
  if (!parameter.enumerators.empty())
    return {parameter.enumerators.begin(),
            parameter.enumerators.begin() +
                static_cast<std::ptrdiff_t>(std::min(parameter.enumerators.size(), most_enumerators))};
  if (type.kind == ScalarKind::boolean) return {declared == 0};
  constexpr long long farthest = 1LL << 60;
  declared = std::clamp(declared, -farthest, farthest);
  const long long order = std::max(std::abs(declared), 1LL);
  const long long more = declared + 1 + static_cast<long long>(random.below(static_cast<std::uint64_t>(order)));
  std::vector<long long> values{more, declared / 2, 0, 1};
  const long long highest = visit_scalar(type, []<class T>(Tag<T>) {
    return static_cast<long long>(std::min(as_double(std::numeric_limits<T>::max()), 0x1.fffffffffffffp62));
  });
  if (reach == Reach::far) values.insert(values.end(), {declared + 130, declared + 300, declared + 70'001, highest});
  if (type.kind == ScalarKind::signed_integer) {
    values.push_back(-more);
    values.push_back(-1);
    if (reach == Reach::far) values.push_back(-highest - 1);
  }
  std::erase_if(values, [&](long long value) {
    return value == declared || value > highest || value < (type.kind == ScalarKind::signed_integer ? -highest - 1 : 0);
  });
  return values;
}

// Other values of one scalar; the list is as long as the kind of the parameter makes it.
std::vector<Override> others_of(const KernelData& spec, unsigned index, const runner::Scalar& declared, Reach reach,
                                Random& random) {
  const Parameter& parameter = spec.parameters[index];
  const ScalarType& type = scalar_type(parameter);
  std::vector<Override> list;
  if (type.kind == ScalarKind::floating) {
    const double value = real_value(type, declared);
    for (const double other : other_reals(type, value, reach, random))
      if (other != value) list.push_back({index, 0, other});
    for (const double constant : some_constants(spec))
      if (constant != value) list.push_back({index, 0, constant});
  } else {
    for (const long long other : values_beside(parameter, integer_value(type, declared), reach, random))
      list.push_back({index, other, 0});
  }
  return list;
}

}  // namespace

std::vector<std::vector<Override>> other_scalars(const KernelData& spec, const Case& like, const Sizes& sizes,
                                                 Reach reach, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<Override>> each;  // of one scalar
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    if (sizes[i]) continue;
    each.push_back(may_vary(spec, like, i) ? others_of(spec, i, like.scalars[i], reach, random)
                                           : ends_of_range(spec, like, i));
    if (each.back().empty()) each.pop_back();
  }
  std::size_t longest = 0;
  for (const auto& list : each) longest = std::max(longest, list.size());
  std::vector<std::vector<Override>> plan;
  constexpr std::size_t together = 4;
  for (std::size_t n = 0; n < std::min(longest, together) && each.size() > 1; ++n) {
    std::vector<Override> all;
    for (const auto& list : each) all.push_back(list[std::min(n, list.size() - 1)]);
    plan.push_back(std::move(all));
  }
  for (std::size_t n = 0; n < longest; ++n)
    for (const auto& list : each)
      if (n < list.size()) plan.push_back({list[n]});
  return plan;
}

std::vector<std::vector<Override>> scalar_corners(const KernelData& spec, const Case& like, const Sizes& sizes) {
  std::vector<Override> upper, lower;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const auto ends = sizes[i] ? std::vector<Override>() : ends_of_range(spec, like, i);
    if (ends.empty()) continue;
    upper.push_back(ends.front());
    lower.push_back(ends.back());
  }
  if (upper.empty()) return {};
  return {std::move(upper), std::move(lower)};
}

std::vector<unsigned> other_integers(const KernelData& spec, const Case& like, const Sizes& sizes) {
  std::vector<unsigned> list;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    if (!sizes[i] && may_vary(spec, like, i) && is_integer(scalar_type(parameter)) && parameter.enumerators.empty())
      list.push_back(i);
  }
  return list;
}

bool is_far_larger(const KernelData& spec, const Case& declared, const std::vector<Override>& others) {
  return std::ranges::any_of(others, [&](const Override& other) {
    const ScalarType& type = scalar_type(spec.parameters[other.parameter]);
    return type.kind == ScalarKind::floating &&
           std::fabs(other.real) > much_larger * std::fabs(real_value(type, declared.scalars[other.parameter]));
  });
}

std::vector<Override> sizes_of(const std::vector<Override>& overrides, const Sizes& sizes) {
  std::vector<Override> result;
  std::ranges::copy_if(overrides, std::back_inserter(result), [&](const Override& o) { return sizes[o.parameter]; });
  return result;
}

std::optional<Case> nudged(const KernelData& spec, const Case& c) {
  std::optional<Case> result;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    if (!is_floating_scalar(parameter) || parameter.fixed) continue;
    if (!result) result = c;
    const ScalarType& type = scalar_type(parameter);
    const double value = real_value(type, c.scalars[i]), by = nudge * epsilon_of(type);
    set_real(type, result->scalars[i], value == 0 ? by : value * (1 + by));
  }
  return result;
}

}  // namespace hone::judge
