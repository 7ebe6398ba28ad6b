#include "tool/judge/data/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tool/base/random.h"
#include "tool/judge/data/input_data.h"
#include "tool/judge/data/scalar.h"
#include "tool/model/workload_kernel.h"

namespace hone::judge {
namespace {

constexpr std::uint64_t scalar_stream = 0x5ca1a7;
constexpr long long largest_index = 1LL << 46;  // no process has so many bytes, and sums of a few still fit

tl::unexpected<NoCase> refuse(std::string reason) {
  return tl::unexpected(NoCase{std::move(reason), std::nullopt});
}
tl::unexpected<NoCase> failed(RunnerFailure failure) {
  return tl::unexpected(NoCase{"", std::move(failure)});
}

void override_scalar(const Parameter& parameter, const Override& change, runner::Scalar& scalar) {
  const ScalarType& type = scalar_type(parameter);
  if (type.kind == ScalarKind::floating)
    set_real(type, scalar, change.real);
  else
    set_integer(type, scalar, change.value);
}

// What the problem or the case sets; what is drawn follows from the seed.
std::string label_of(const KernelData& spec, const Case& c) {
  std::string label;
  std::vector<unsigned> set = spec.problems[c.problem].assigned;
  for (const Override& change : c.overrides)
    if (std::ranges::find(set, change.parameter) == set.end()) set.push_back(change.parameter);
  for (unsigned index : set) {
    const Parameter& parameter = spec.parameters[index];
    if (!label.empty()) label += ' ';
    label += parameter.name + '=' + print_scalar(scalar_type(parameter), bytes_of(c.scalars[index]));
  }
  return label.empty() ? fmt::format("problem {}", c.problem + 1) : label;
}

std::string in_problem(const Case& c) {
  return fmt::format("for {}", c.label);
}

Array empty_array(const Parameter& parameter) {
  return {std::vector<Span>(parameter.extent.size()), 0, 0};
}

// Elements that are further apart than those behind them need: each dimension but the first has the room that the one
// in front of it says, and the last of all rows ends where its elements do. "" or what does not fit.
std::string spread(Array& array) {
  std::vector<Span>& spans = array.spans;
  if (spans.back().stride != 0) spans.push_back({0, 1, 0, 0});
  unsigned __int128 behind = 1, last = 1;  // elements from one to the next, and to the end of the last
  for (std::size_t d = spans.size(); d-- > 0;) {
    const auto size = static_cast<unsigned __int128>(spans[d].start + spans[d].length);
    if (const auto stride = static_cast<unsigned __int128>(spans[d].stride); stride != 0) {
      Span& next = spans[d + 1];
      const unsigned __int128 below = behind / static_cast<unsigned __int128>(std::max(next.size(), 1LL));
      if (stride < last && size > 1) return "is shorter than what the dimensions behind it take";
      if (below == 0 || stride % below != 0) return "is no multiple of what the dimensions behind it take";
      next.room = static_cast<long long>(stride / below);
      behind = stride;
    }
    last = size == 0 ? 0 : (size - 1) * behind + last;
    behind = behind * std::max<unsigned __int128>(size, 1);
    if (last > static_cast<unsigned __int128>(largest_index)) return "is huge";
  }
  array.elements = static_cast<std::size_t>(last);
  return "";
}

// The range that spans, element counts and byte counts must keep to; everything beyond is refused before it is
// multiplied.
tl::expected<Array, NoCase> array_of(const Parameter& parameter, const Case& c) {
  Array array;
  array.elements = 1;
  for (std::size_t d = 0; d < parameter.extent.size(); ++d) {
    const Dimension& dimension = parameter.extent[d];
    Span span{dimension.start ? c.values.integers[*dimension.start] : 0, c.values.integers[dimension.length]};
    if (span.length < 0 && span.start >= 0 && !c.declared()) return empty_array(parameter);
    const bool before = d == 0 && span.start < 0 && span.start >= -largest_index;  // before the pointer
    const long long lead = before ? -span.start : 0;
    if (before) span.start = 0;
    const char* which = parameter.extent.size() == 1 ? "" : d == 0 ? "first " : "inner ";
    if (span.length < 0 || span.start < 0)
      return refuse(fmt::format("the {}extent of {} has {} {} {}", which, parameter.name,
                                span.length < 0 ? "length" : "start", span.length < 0 ? span.length : span.start,
                                in_problem(c)));
    if (span.length > largest_index || span.start > largest_index)
      return refuse(fmt::format("the {}extent of {} is huge ({} elements) {}", which, parameter.name,
                                std::max(span.length, span.start), in_problem(c)));
    if (dimension.stride) {
      span.stride = c.values.integers[*dimension.stride];
      if (span.stride < 0 || span.stride > largest_index)
        return refuse(fmt::format("the stride of {} is {} {}", parameter.name, span.stride, in_problem(c)));
    }
    const auto total = static_cast<unsigned __int128>(span.start + span.length) * array.elements;
    if (total * parameter.element.size > static_cast<unsigned __int128>(largest_index))
      return refuse(fmt::format("the extent of {} is huge ({:.3g} bytes) {}", parameter.name,
                                static_cast<double>(total) * static_cast<double>(parameter.element.size),
                                in_problem(c)));
    array.elements = static_cast<std::size_t>(total);
    array.spans.push_back(span);
    array.lead = d == 0 ? static_cast<std::size_t>(lead) : array.lead * static_cast<std::size_t>(span.size());
  }
  if (array.lead > array.elements)
    return refuse(fmt::format("the extent of {} ends before what it points to {}", parameter.name, in_problem(c)));
  if (std::ranges::any_of(array.spans, [](const Span& span) { return span.stride != 0; })) {
    if (array.lead > 0)
      return refuse(fmt::format("the extent of {} starts before what it points to and has a stride {}", parameter.name,
                                in_problem(c)));
    if (std::string why = spread(array); !why.empty())
      return refuse(fmt::format("the stride of {} {} {}", parameter.name, why, in_problem(c)));
    if (array.elements > static_cast<std::size_t>(largest_index) / parameter.element.size)
      return refuse(fmt::format("the extent of {} is huge {}", parameter.name, in_problem(c)));
  }
  array.bytes = array.elements * parameter.element.size;
  return array;
}

std::string size_in_words(double bytes) {
  return bytes >= 1e9 ? fmt::format("{:.2f} GB", bytes / 1e9) : fmt::format("{:.1f} MB", bytes / 1e6);
}

// The first extent that tells (frontend/describe/workload_data.h).
std::string why_no_workload(const KernelData& spec, const Case& c) {
  if (!has_workload(spec)) return "";
  long long least = 0;
  for (const Parameter& parameter : spec.parameters)
    if (parameter.pointer) least = std::min(least, c.values.integers[parameter.extent.front().length]);
  if (least == -1)
    return "the workload skips " + (c.label.empty() ? std::string("this") : c.label) + ", a declared problem";
  if (least == -2) return "the workload never calls time() " + in_problem(c) + ", so there is nothing to judge";
  if (least < 0)
    return "the workload calls time() more than once " + in_problem(c) + "; it is timed as a whole: join the parts";
  return "";
}

// What an override sets is not drawn: the ends of a range are set so.
tl::expected<void, NoCase> draw_initialized_scalars(const KernelData& spec, Case& c) {
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    const auto& assigned = spec.problems[c.problem].assigned;
    if (parameter.pointer || !parameter.init || std::ranges::find(assigned, i) != assigned.end() ||
        std::ranges::find(c.overrides, i, &Override::parameter) != c.overrides.end())
      continue;
    if (auto drawn = draw_scalar(parameter, c.values, derive(c.seed, scalar_stream + i), c.scalars[i]); !drawn)
      return refuse(drawn.error() + " " + in_problem(c));
  }
  return {};
}

}  // namespace

double least_moved(const KernelData& spec, const Case& c) {
  double bytes = 0;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i)
    if (spec.parameters[i].pointer)
      bytes += static_cast<double>(c.arrays[i].bytes) * (spec.parameters[i].role == Role::inout ? 2 : 1);
  return bytes;
}

tl::expected<Case, NoCase> make_case(const KernelData& spec, Subject& reference, unsigned problem, std::uint64_t seed,
                                     const std::vector<Override>& overrides, std::size_t memory_bytes) {
  Case c{.problem = problem, .overrides = overrides, .seed = seed};
  c.scalars.resize(spec.parameters.size());
  for (unsigned i = 0; i < spec.parameters.size(); ++i)
    if (!spec.parameters[i].pointer)
      draw_default_scalar(spec.parameters[i], derive(seed, scalar_stream + i), c.scalars[i]);
  auto scalars = reference.assign_problem(problem, c.scalars);
  if (!scalars) return failed(std::move(scalars).error());
  c.scalars = std::move(*scalars);
  for (const Override& change : overrides)
    override_scalar(spec.parameters[change.parameter], change, c.scalars[change.parameter]);
  c.label = label_of(spec, c);

  // Two passes: a scalar's init() may name other scalars, and an extent may name it.
  const bool has_drawn = std::ranges::any_of(spec.parameters, [](const Parameter& p) { return !p.pointer && p.init; });
  for (int pass = has_drawn ? 0 : 1; pass < 2; ++pass) {
    auto values = reference.evaluate(c.scalars, spec.expression_count);
    if (!values) return failed(std::move(values).error());
    c.values = std::move(*values);
    if (pass == 0) HONE_CHECK(draw_initialized_scalars(spec, c));
  }
  if (std::string why = why_no_workload(spec, c); !why.empty()) return refuse(std::move(why));
  for (const ExpressionId condition : spec.conditions)
    if (c.values.integers[condition] == 0 && c.values.reals[condition] == 0)
      return refuse(fmt::format("requires(…) does not hold {}", in_problem(c)));
  c.arrays.resize(spec.parameters.size());
  double needed = 0;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    if (!parameter.pointer) continue;
    HONE_TRY(c.arrays[i], array_of(parameter, c));
    // Outputs exist in both processes and in a copy, and inouts are kept aside for restoring.
    const int copies = parameter.role == Role::in ? 1 : parameter.role == Role::out ? 3 : 4;
    needed += static_cast<double>(c.arrays[i].bytes) * copies;
  }
  if (needed > static_cast<double>(memory_bytes))
    return refuse(fmt::format("the arrays need {} {}, but only {} may be used here", size_in_words(needed),
                              in_problem(c), size_in_words(static_cast<double>(memory_bytes))));
  for (unsigned i = 0; i < spec.parameters.size(); ++i)
    if (spec.parameters[i].pointer)
      if (auto checked = check_draw(spec.parameters[i], c, i); !checked)
        return refuse(checked.error() + " " + in_problem(c));
  return c;
}

Case with_nulls(const KernelData& spec, const Case& like, const std::vector<unsigned>& nulls) {
  Case c = like;
  c.nulls = nulls;
  for (const unsigned index : nulls) {
    c.arrays[index] = empty_array(spec.parameters[index]);
    c.label += fmt::format(" {}=null", spec.parameters[index].name);
  }
  return c;
}

tl::expected<Case, NoCase> make_given_case(const KernelData& spec, Subject& reference, const bundle::Given& given) {
  Case c{.given = std::make_shared<const bundle::Given>(given)};
  const std::size_t count = spec.parameters.size();
  if (given.scalars.size() != count || given.arrays.size() != count) return refuse("given data have other arguments");
  c.scalars.resize(count);
  c.arrays.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (spec.parameters[i].pointer) continue;
    if (given.scalars[i].size() < runner::scalar_bytes) return refuse("given data have other arguments");
    std::memcpy(c.scalars[i].bytes, given.scalars[i].data(), runner::scalar_bytes);
  }
  c.label = fmt::format("{}, {}", label_of(spec, c), given.origin);
  auto values = reference.evaluate(c.scalars, spec.expression_count);
  if (!values) return failed(std::move(values).error());
  c.values = std::move(*values);
  for (std::size_t i = 0; i < count; ++i) {
    if (!spec.parameters[i].pointer) continue;
    HONE_TRY(c.arrays[i], array_of(spec.parameters[i], c));
    const bool empty = spec.parameters[i].role == Role::out && given.arrays[i].empty();
    if (!empty && c.arrays[i].bytes != given.arrays[i].size()) return refuse("given data have other sizes");
  }
  return c;
}

}  // namespace hone::judge
