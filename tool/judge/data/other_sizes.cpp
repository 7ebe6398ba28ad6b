#include "tool/judge/data/other_sizes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tool/base/random.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

// Around powers of two, around widths of vectors, and the smallest; in an order in which the first few differ most. The
// first four are tried however busy the machine is, so that nothing at all (0) is one of them.
constexpr long long sizes[] = {17, 1, 33, 0, 5, 31, 7, 13, 64, 3, 65, 2, 16, 37, 8, 127, 100, 4, 29, 12};
constexpr long long largest_flag = 8;  // values up to here may be modes, radii, channel counts

struct Choice {
  unsigned parameter;
  long long declared;
};

bool is_changeable(const Parameter& parameter) {
  const ScalarType& type = scalar_type(parameter);
  return !parameter.fixed && (is_integer(type) || type.kind == ScalarKind::boolean);
}

std::vector<Choice> choices_of(const KernelData& spec, const std::vector<runner::Scalar>& scalars, unsigned problem) {
  std::vector<Choice> choices;
  for (unsigned index : spec.problems[problem].assigned)
    if (is_changeable(spec.parameters[index]))
      choices.push_back({index, integer_value(scalar_type(spec.parameters[index]), scalars[index])});
  return choices;
}

long long changed(const Parameter& parameter, long long declared, long long size, Random& random) {
  if (!parameter.enumerators.empty())
    return random.below(3) ? declared : parameter.enumerators[random.below(parameter.enumerators.size())];
  if (scalar_type(parameter).kind == ScalarKind::boolean) return random.below(3) ? declared : declared == 0;
  if (declared > largest_flag) return size;
  if (declared < 0 || random.below(3)) return declared;
  return std::max(0LL, declared + static_cast<long long>(random.below(4)) - 1);
}

}  // namespace

std::vector<OtherSizes> other_sizes(const KernelData& spec, const std::vector<std::vector<runner::Scalar>>& scalars,
                                    unsigned count, std::uint64_t seed) {
  std::vector<OtherSizes> result;
  std::set<std::vector<long long>> seen;
  Random random(seed);
  for (unsigned attempt = 0; attempt < 4 * count && result.size() < count; ++attempt) {
    const unsigned problem = attempt % static_cast<unsigned>(scalars.size());
    const std::vector<Choice> choices = choices_of(spec, scalars[problem], problem);
    const std::size_t range = choices.size() >= 4 ? 8 : std::size(sizes);  // deep loops over many sizes take long
    // The first few give one size to all, then each its own.
    const bool uniform = attempt < 6;
    const bool keep_equal = random.below(4) != 0;
    std::map<long long, long long> by_declared;
    OtherSizes other{problem, {}};
    std::vector<long long> fingerprint{static_cast<long long>(problem)};
    for (const Choice& choice : choices) {
      long long size = sizes[uniform ? attempt % range : random.below(range)];
      if (keep_equal) size = by_declared.emplace(choice.declared, size).first->second;
      const long long value = changed(spec.parameters[choice.parameter], choice.declared, size, random);
      other.overrides.push_back({choice.parameter, value});
      fingerprint.push_back(value);
    }
    if (!other.overrides.empty() && seen.insert(fingerprint).second) result.push_back(std::move(other));
  }
  return result;
}

std::vector<OtherSizes> neighbors(const KernelData& spec, const std::vector<runner::Scalar>& scalars, unsigned problem,
                                  unsigned reach) {
  std::vector<OtherSizes> result;
  for (unsigned distance = 1; distance <= reach; ++distance)
    for (const long long sign : {-1LL, 1LL}) {
      OtherSizes other{problem, {}};
      for (const Choice& choice : choices_of(spec, scalars, problem))
        if (choice.declared > largest_flag && spec.parameters[choice.parameter].enumerators.empty())
          other.overrides.push_back({choice.parameter, choice.declared + sign * distance});
      if (!other.overrides.empty()) result.push_back(std::move(other));
    }
  return result;
}

std::vector<OtherSizes> held_out_sizes(const KernelData& spec, const std::vector<std::vector<runner::Scalar>>& scalars,
                                       unsigned count, std::uint64_t seed) {
  std::vector<OtherSizes> result;
  Random random(seed);
  for (unsigned n = 0; n < count; ++n) {
    OtherSizes other{n % static_cast<unsigned>(scalars.size()), {}};
    const bool keep_equal = random.below(4) != 0;
    std::map<long long, long long> by_declared;
    for (const Choice& choice : choices_of(spec, scalars[other.problem], other.problem)) {
      const auto most = static_cast<double>(std::max(choice.declared, 1LL));
      long long size = static_cast<long long>(std::exp(std::log(most + 1) * random.uniform()));
      if (keep_equal) size = by_declared.emplace(choice.declared, size).first->second;
      other.overrides.push_back(
          {choice.parameter, changed(spec.parameters[choice.parameter], choice.declared, size, random)});
    }
    if (!other.overrides.empty()) result.push_back(std::move(other));
  }
  return result;
}

std::vector<long long> shifts(const KernelData& spec, const Case& c) {
  std::map<int, std::size_t> drawn, written, smallest;  // by alias group
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    if (!parameter.pointer || parameter.alias_group < 0) continue;
    const int group = parameter.alias_group;
    drawn[group] += parameter.role != Role::out;
    written[group] += parameter.role != Role::in;
    const auto [at, first] = smallest.emplace(group, c.arrays[i].elements);
    at->second = std::min(at->second, c.arrays[i].elements);
  }
  std::size_t room = 0;
  for (const auto& [group, elements] : smallest) {
    if (drawn[group] != 1 || written[group] == 0) return {};
    room = room == 0 ? elements : std::min(room, elements);
  }
  std::vector<long long> result;
  for (const std::size_t distance : {std::size_t{1}, std::size_t{8}, room / 2})
    if (distance > 0 && distance < room && std::ranges::find(result, static_cast<long long>(distance)) == result.end())
      for (const long long sign : {-1LL, 1LL}) result.push_back(sign * static_cast<long long>(distance));
  return result;
}

}  // namespace hone::judge
