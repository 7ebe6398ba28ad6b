#include "tool/judge/data/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tool/base/random.h"
#include "tool/judge/data/case.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

constexpr double widest_integer = 64;               // bits: the whole type
constexpr long long widest_line = 1 << 20;          // elements of a row; zeroing longer ones shows no more
constexpr std::size_t most_crowded_constants = 12;  // of a source's constants, so that the rest has time too
constexpr double beyond_short = 17.5;               // what 16 bits do not hold, with or without a sign
// Of a CUDA device's integers no sanitizer says where they overflow: products of two still fit into 32 bits.
constexpr double widest_on_device = 15.5;

bool holds(const Parameter& parameter, bool floating) {
  return parameter.pointer && parameter.role != Role::out &&
         std::ranges::any_of(parameter.element.fields, [&](const Field& field) {
           return floating ? field.type.kind == ScalarKind::floating : is_integer(field.type);
         });
}

// What init() leaves to choose, a pattern may choose.
bool is_ranged(const Init& init) {
  return init.distribution == Distribution::uniform || init.distribution == Distribution::index;
}

// Of sorted data: which of them are equal.
bool ties(PatternKind kind) {
  return kind == PatternKind::few || kind == PatternKind::equal || kind == PatternKind::runs ||
         kind == PatternKind::limits || kind == PatternKind::corner;
}

bool keeps_to_range(PatternKind kind) {
  switch (kind) {
    case PatternKind::none:
    case PatternKind::magnitudes:
    case PatternKind::denormals:
    case PatternKind::wide:
    case PatternKind::signed_zeros:
    case PatternKind::only_zeros:
    case PatternKind::zero_line:
    case PatternKind::ends:
      return false;
    default:
      return true;
  }
}

double widest_exponent(const KernelData& spec) {
  double widest = 0;
  for (const Parameter& parameter : spec.parameters)
    if (holds(parameter, true) && !parameter.init)
      for (const Field& field : parameter.element.fields)
        if (field.type.kind == ScalarKind::floating)
          widest = std::max(widest, field.type.size >= 8                       ? 1020.0
                                    : field.type.size == 4 || field.type.brain ? 126
                                                                               : 15);
  return widest;
}

Pattern at_constants(const KernelData& spec) {
  Pattern pattern{.kind = PatternKind::constants, .constants = spec.constants};
  for (const double round : {0.0, 1.0, 2.0}) pattern.constants.push_back(round);
  return pattern;
}

}  // namespace

bool holds(const KernelData& spec, bool floating) {
  return std::ranges::any_of(spec.parameters, [&](const Parameter& p) { return holds(p, floating); });
}

bool draws(const KernelData& spec, bool floating) {
  return std::ranges::any_of(spec.parameters, [&](const Parameter& p) { return holds(p, floating) && !p.init; });
}

bool is_patterned(const Parameter& parameter, const Pattern& pattern, unsigned index) {
  if (!pattern.any() || !parameter.pointer || parameter.role == Role::out) return false;
  if (pattern.parameter >= 0 && pattern.parameter != static_cast<int>(index)) return false;
  if (!parameter.init) return true;
  return parameter.init->distribution == Distribution::sorted
             ? ties(pattern.kind)
             : keeps_to_range(pattern.kind) && is_ranged(*parameter.init);
}

std::string pattern_name(PatternKind kind) {
  switch (kind) {
    case PatternKind::none:
      return "";
    case PatternKind::magnitudes:
      return "magnitudes of all orders";
    case PatternKind::denormals:
      return "denormals alone";
    case PatternKind::wide:
      return "wide integers";
    case PatternKind::few:
      return "few distinct values";
    case PatternKind::equal:
      return "equal values";
    case PatternKind::runs:
      return "runs of equal values";
    case PatternKind::ascending:
      return "ascending values";
    case PatternKind::descending:
      return "descending values";
    case PatternKind::one_fault:
      return "sorted values but for one";
    case PatternKind::near_sorted:
      return "values that are sorted but for neighbors";
    case PatternKind::alike:
      return "arrays that are alike";
    case PatternKind::copies:
      return "the shortest array again and again, with faults";
    case PatternKind::closed:
      return "a last element that is the first";
    case PatternKind::signs:
      return "one value with either sign, and zeros";
    case PatternKind::offset:
      return "values close together";
    case PatternKind::periodic:
      return "a few values in turn";
    case PatternKind::signed_zeros:
      return "zeros of either sign";
    case PatternKind::only_zeros:
      return "nothing but zeros of either sign";
    case PatternKind::positive:
      return "positive values";
    case PatternKind::zero_line:
      return "a row or a column of zeros";
    case PatternKind::ends:
      return "the least and the largest integers";
    case PatternKind::limits:
      return "the ends of its range";
    case PatternKind::corner:
      return "arrays at one end of their range";
    case PatternKind::constants:
      return "values at the original's constants";
    case PatternKind::exact:
      return "small integers, for which its arithmetic is exact";
    case PatternKind::whole:
      return "many equal whole numbers";
  }
  return "";
}

std::string pattern_words(const KernelData& spec, const Pattern& pattern) {
  const std::string where =
      pattern.parameter < 0 ? "" : " in " + spec.parameters[static_cast<std::size_t>(pattern.parameter)].name;
  if (pattern.kind == PatternKind::magnitudes)
    return fmt::format("magnitudes from 2^{:.0f} to 2^{:.0f}{}", pattern.low, pattern.high, where);
  if (pattern.kind == PatternKind::wide) return fmt::format("integers of up to {:.0f} bits{}", pattern.high, where);
  return pattern_name(pattern.kind) + where;
}

std::vector<Pattern> orders(const KernelData& spec, bool all) {
  std::vector<PatternKind> kinds{PatternKind::few, PatternKind::equal, PatternKind::ascending, PatternKind::constants,
                                 PatternKind::limits};
  if (all) {
    kinds.insert(kinds.end(),
                 {PatternKind::runs, PatternKind::descending, PatternKind::one_fault, PatternKind::one_fault,
                  PatternKind::near_sorted, PatternKind::near_sorted, PatternKind::positive, PatternKind::signs,
                  PatternKind::alike, PatternKind::alike, PatternKind::copies, PatternKind::closed, PatternKind::offset,
                  PatternKind::periodic, PatternKind::signs});
    if (draws(spec, true)) kinds.insert(kinds.end(), {PatternKind::signed_zeros, PatternKind::only_zeros});
  }
  std::vector<Pattern> list;
  for (const PatternKind kind : kinds)
    list.push_back(kind == PatternKind::constants ? at_constants(spec) : Pattern{.kind = kind});
  return list;
}

std::vector<Pattern> zero_lines(const KernelData& spec, const Case& c) {
  std::set<std::size_t> widths;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    if (parameter.pointer || parameter.stream || parameter.composed || parameter.element.fields.size() != 1 ||
        !is_integer(scalar_type(parameter)))
      continue;
    const long long value = integer_value(scalar_type(parameter), c.scalars[i]);
    if (value > 1 && value < widest_line) widths.insert(static_cast<std::size_t>(value));
  }
  std::vector<Pattern> list;
  for (const std::size_t width : widths)
    for (const bool is_column : {true, false})
      list.push_back({.kind = PatternKind::zero_line, .width = width, .is_column = is_column});
  return list;
}

std::vector<Pattern> crowds(const KernelData& spec, bool knows_truth) {
  const bool integers = holds(spec, false), floating = holds(spec, true);
  if (floating && !integers && !knows_truth)
    return {{.kind = PatternKind::whole},
            {.kind = PatternKind::equal, .constants = {0}},
            {.kind = PatternKind::equal, .constants = {1}}};
  std::vector<Pattern> list{{.kind = PatternKind::equal, .constants = {0}},
                            {.kind = PatternKind::few},
                            {.kind = PatternKind::limits},
                            {.kind = PatternKind::ascending},
                            {.kind = PatternKind::equal},
                            {.kind = PatternKind::equal, .constants = {255}},
                            {.kind = PatternKind::positive},
                            {.kind = PatternKind::alike},
                            {.kind = PatternKind::near_sorted},
                            {.kind = PatternKind::copies},
                            {.kind = PatternKind::offset},
                            {.kind = PatternKind::offset},
                            {.kind = PatternKind::descending}};
  if (integers)  // a text of blanks alone
    for (std::size_t i = 0; i < std::min(spec.constants.size(), most_crowded_constants); ++i)
      list.insert(list.begin() + 1, {.kind = PatternKind::equal, .constants = {spec.constants[i]}});
  if (integers) list.insert(list.begin(), 2, at_constants(spec));  // what a state machine looks for, in any order
  for (Pattern& pattern : list) pattern.integers_only = integers && floating;
  return list;
}

std::vector<Pattern> corners(const KernelData& spec, bool knows_truth) {
  constexpr std::size_t several = 4;  // of one or two arrays the one that is wanted is mostly among them
  const bool integers = holds(spec, false), floating = holds(spec, true);
  if (floating && !integers && !knows_truth) return {};  // long sums of equal values
  return std::vector<Pattern>(several, {.kind = PatternKind::corner, .integers_only = floating && !knows_truth});
}

std::vector<Pattern> full_magnitudes(const KernelData& spec, int parameter) {
  std::vector<Pattern> list;
  const double widest = widest_exponent(spec);
  for (const double high : {widest, 500.0, 250.0, 120.0, 60.0, 30.0, 14.0, 8.0})
    if (high <= widest && (list.empty() || high < list.back().high))
      list.push_back({.kind = PatternKind::magnitudes, .parameter = parameter, .low = -high, .high = high});
  return list;
}

std::vector<Pattern> bands(const KernelData& spec, unsigned more, std::uint64_t seed) {
  std::vector<double> tops{3, 6, -4, 10, -12};
  const double widest = widest_exponent(spec);
  Random random(seed);
  for (unsigned n = 0; n < more; ++n)
    tops.push_back(std::exp2(std::log2(widest + 1) * random.uniform()) * (n % 2 ? -1 : 1));
  std::vector<Pattern> list;
  for (const double top : tops)
    if (widest > 0 && top <= widest) list.push_back({.kind = PatternKind::magnitudes, .low = top - 3, .high = top});
  return list;
}

std::vector<Pattern> wide_integers(const KernelData& spec) {
  std::vector<Pattern> list;
  for (const double high : {widest_integer, 28.0, 22.0, beyond_short, widest_on_device, 12.0})
    if (!spec.cuda || high <= widest_on_device) list.push_back({.kind = PatternKind::wide, .high = high});
  return list;
}

}  // namespace hone::judge
