#include "tool/capture/clauses_of_capture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tool/capture/captures.h"

namespace hone::capture {
namespace {

constexpr std::uint64_t fewest_of_sorted = 4;  // elements: fewer are sorted by chance
constexpr double nearly = 0.5;                 // of a scalar: what an index comes up to at least
constexpr std::size_t most_bounds = 3;         // of an array: each doubles the expression
constexpr double largest_exact = 1e15;         // integers beyond that are no range that a double has
constexpr double largest_drawn = 1e6;          // floating point beyond that is drawn as by default

// Of an array in all of its captures.
struct Seen {
  ScalarKind kind = ScalarKind::floating;
  unsigned size = 0;
  bool readable = true, sorted = true, many = false, scalar = true;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  struct Bound {
    bool below = true, within = true;  // in each call: all elements < the scalar, <= the scalar
    double nearest = 0;                // the largest element's part of the scalar
    double value = 0;                  // of all scalars, added up
  };
  std::map<std::string, Bound> bounds;  // by scalar
};

template <class T>
void look(const std::string& bytes, Seen& seen, double& high) {
  double before = -std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T element;
    std::memcpy(&element, bytes.data() + at, sizeof element);
    const auto value = static_cast<double>(element);
    if (!std::isfinite(value)) {
      seen.readable = false;
      return;
    }
    seen.low = std::min(seen.low, value);
    high = std::max(high, value);
    seen.sorted = seen.sorted && value >= before;
    before = value;
  }
  seen.high = std::max(seen.high, high);
}

bool look_at(const std::string& bytes, Seen& seen, double& high) {
  const bool whole = seen.kind != ScalarKind::floating, has_sign = seen.kind == ScalarKind::signed_integer;
  if (whole && seen.size == 1)
    return has_sign ? look<std::int8_t>(bytes, seen, high) : look<std::uint8_t>(bytes, seen, high), true;
  if (whole && seen.size == 4)
    return has_sign ? look<std::int32_t>(bytes, seen, high) : look<std::uint32_t>(bytes, seen, high), true;
  if (whole && seen.size == 8)
    return has_sign ? look<std::int64_t>(bytes, seen, high) : look<std::uint64_t>(bytes, seen, high), true;
  if (whole && seen.size == 2)
    return has_sign ? look<std::int16_t>(bytes, seen, high) : look<std::uint16_t>(bytes, seen, high), true;
  if (!whole && seen.size == 4) return look<float>(bytes, seen, high), true;
  if (!whole && seen.size == 8) return look<double>(bytes, seen, high), true;
  return false;
}

double number(const CapturedValue& scalar) {
  const auto text = scalar.kind == ScalarKind::floating ? std::nullopt : text_of(scalar);
  return text ? std::strtod(text->c_str(), nullptr) : std::numeric_limits<double>::quiet_NaN();
}

void compare(const CapturedProblem& problem, double high, Seen& seen) {
  for (const CapturedValue& scalar : problem.scalars) {
    const double value = number(scalar);
    if (std::isnan(value)) continue;
    Seen::Bound& bound = seen.bounds[scalar.name];
    bound.below = bound.below && high < value;
    bound.within = bound.within && high <= value;
    if (value > 0) bound.nearest = std::max(bound.nearest, high / value);
    bound.value += value;
  }
}

std::map<std::string, Seen> arrays_of(const std::filesystem::path& folder, const CapturedKernel& kernel) {
  std::map<std::string, Seen> all;
  for (const CapturedProblem& problem : kernel.problems)
    for (const auto& inputs : problem.inputs)
      for (const auto& [name, array] : inputs) {
        Seen& seen = all.try_emplace(name, Seen{.kind = array.kind, .size = array.size}).first->second;
        const auto bytes = read_array(folder, array);
        double high = -std::numeric_limits<double>::infinity();
        seen.readable =
            seen.readable && bytes && seen.kind == array.kind && seen.size == array.size && look_at(*bytes, seen, high);
        seen.scalar = seen.scalar && array.count == 1;
        seen.many = seen.many || array.count >= fewest_of_sorted;
        if (array.count > 0) compare(problem, high, seen);
      }
  return all;
}

// Scalars that the elements always stayed below: the least that they nearly reach, else all.
std::vector<std::string> bounds_of(const Seen& seen, bool inclusive) {
  std::vector<std::pair<double, std::string>> all;
  for (const auto& [name, bound] : seen.bounds)
    if (inclusive ? bound.within : bound.below) all.emplace_back(bound.value, name);
  std::ranges::sort(all);
  std::vector<std::string> names;
  for (const auto& [value, name] : all) {
    if (seen.bounds.at(name).nearest >= nearly) return {name};
    if (seen.size > 1 && names.size() < most_bounds) names.push_back(name);
  }
  return names;
}

std::string text(double value, const Seen& seen) {
  if (seen.kind != ScalarKind::floating) return fmt::format("{:.0f}", value);
  const std::string digits = fmt::format("{:.9g}", value);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

// Scalars that are no sizes. One that was always the same is drawn around that: whoever takes it for granted is wrong.
std::optional<CapturedClauses::Init> init_of_scalar(const std::string& name, const Seen& seen) {
  double low = seen.low, high = seen.high;
  if (!seen.readable || !std::isfinite(low) || !std::isfinite(high)) return std::nullopt;
  if (low == high && seen.kind == ScalarKind::floating) {
    low = std::min(seen.low / 2, seen.low * 2);
    high = std::max(seen.low / 2, seen.low * 2);
  }
  if (!(low < high) || std::max(std::abs(low), std::abs(high)) > largest_drawn) return std::nullopt;
  return CapturedClauses::Init{name, Distribution::uniform, {text(low, seen), text(high, seen)}};
}

std::string least_of(std::string value, const std::vector<std::string>& bounds) {
  for (const std::string& bound : bounds) {
    const std::string other = "(long long)(" + bound + ")";
    value = fmt::format("({} < {} ? {} : {})", other, value, other, value);
  }
  return value;
}

// From what was seen; and where the sizes are smaller, below those that bounded it. Elements that were all the same
// would judge nothing: they are drawn between zero and their value, since a subscript may well be zero. All zeros go up
// to one where a size bounds them. Where none does, a table of one element may be behind them.
CapturedClauses::Init init_of_integers(const std::string& name, Seen seen) {
  const bool same = seen.low == seen.high, sorted = seen.sorted && seen.many && !same;
  const std::vector<std::string> bounds = bounds_of(seen, sorted);
  if (same) {
    seen.low = std::min(seen.low, 0.0);
    seen.high = std::max(seen.high, bounds.empty() ? 0.0 : 1.0);
  }
  const std::string end = least_of(text(seen.high + 1, seen), bounds), low = text(seen.low, seen);
  if (seen.low < 0 && !sorted)
    return {name, Distribution::uniform, {low, bounds.empty() ? text(seen.high, seen) : end + " - 1"}};
  const bool may_cross = !bounds.empty() && seen.low > 0;
  return {name,
          sorted ? Distribution::sorted : Distribution::index,
          {may_cross ? fmt::format("({} < {} ? {} : 0)", low, end, low) : low, end}};
}

bool holds_offsets(const std::string& name, const Seen& seen) {
  return std::ranges::any_of(seen.bounds, [&](const auto& one) { return one.first.starts_with(name + "["); });
}

std::optional<CapturedClauses::Init> init_of(const std::string& name, const Seen& seen) {
  if (!seen.readable || seen.kind == ScalarKind::boolean || holds_offsets(name, seen)) return std::nullopt;
  if (seen.scalar) return init_of_scalar(name, seen);
  if (!(seen.low <= seen.high) || std::max(std::abs(seen.low), std::abs(seen.high)) > largest_exact)
    return std::nullopt;
  if (seen.kind != ScalarKind::floating) return init_of_integers(name, seen);
  if (!(seen.low < seen.high) || !seen.many || std::max(std::abs(seen.low), std::abs(seen.high)) > largest_drawn)
    return std::nullopt;
  return CapturedClauses::Init{
      name, seen.sorted ? Distribution::sorted : Distribution::uniform, {text(seen.low, seen), text(seen.high, seen)}};
}

std::optional<CapturedClauses::Problem> problem_of(const CapturedKernel& kernel, const CapturedProblem& captured) {
  CapturedClauses::Problem problem{.weight = 100 * share_of(kernel, captured)};
  for (const CapturedValue& scalar : captured.scalars) {
    auto value = text_of(scalar);
    if (!value) return std::nullopt;
    problem.values.emplace_back(scalar.name, std::move(*value));
  }
  return problem;
}

}  // namespace

CapturedClauses clauses_of_capture(const std::filesystem::path& folder, const std::string& name) {
  CapturedClauses clauses;
  const CapturedKernel kernel = read_captures(folder, name);
  double covered = 0;
  for (const CapturedProblem& captured : kernel.problems) {
    if (clauses.problems.size() == most_problems_tuned || covered >= 100 * enough_of_time) break;
    auto problem = problem_of(kernel, captured);
    if (!problem || !(problem->weight > 0)) continue;
    covered += problem->weight;
    clauses.problems.push_back(std::move(*problem));
  }
  for (const auto& [array, seen] : arrays_of(folder, kernel))
    if (auto init = init_of(array, seen)) clauses.inits.push_back(std::move(*init));
  return clauses;
}

}  // namespace hone::capture
