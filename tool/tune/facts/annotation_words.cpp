#include "tool/tune/facts/annotation_words.h"
#include "tool/model/defaults.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "annotations/directive.h"
#include "annotations/parser.h"
#include "tool/model/harness_data.h"
#include "tool/model/workload_kernel.h"

namespace hone::tune {
namespace {

using annotations::Directive;

Directive directive_of(const KernelSpec& spec) {
  auto parsed = annotations::parse(canonical_annotation(spec), {1, 1});
  auto* directive = std::get_if<Directive>(&parsed);
  return directive ? std::move(*directive) : Directive{};
}

const annotations::Section* section_of(const Directive& directive, const std::string& name) {
  const auto found = std::ranges::find_if(directive.sections, [&](const auto& s) { return s.name.text == name; });
  return found == directive.sections.end() ? nullptr : &*found;
}

bool is_plain(const std::string& expression) {
  return expression.find_first_of(" +-*/%?<>&|(") == std::string::npos;
}

// "m * k floats", "m × k (row by row)"
std::string extent(const annotations::Section& section, const std::string& element, bool rows_apart) {
  std::string text;
  bool from_start = true;
  for (const annotations::Dimension& dimension : section.dimensions) {
    const std::string& length = dimension.length.text;
    const bool alone = section.dimensions.size() == 1 || is_plain(length);
    text += fmt::format("{}{}", text.empty() ? "" : " x ", alone ? length : "(" + length + ")");
    from_start = from_start && (!dimension.start || dimension.start->text == "0");
  }
  text += fmt::format(" elements of type {}", element);
  if (rows_apart)
    text += ", behind pointers: each row is memory of its own, in any order";
  else if (section.dimensions.size() > 1)
    text += ", row after row";
  if (from_start) return text;
  text += ", from ";
  for (const annotations::Dimension& dimension : section.dimensions)
    text += fmt::format("[{}]", dimension.start ? dimension.start->text : "0");
  return text + " on";
}

std::string default_range(const ElementType& element) {
  if (element.fields.empty()) return "at random";
  const bool alike =
      std::ranges::all_of(element.fields, [&](const Field& field) { return field.type == element.fields[0].type; });
  if (!alike) return "at random, each member by its type (floats from -1 to 1)";
  const ScalarType type = element.fields[0].type;
  switch (type.kind) {
    case ScalarKind::boolean:
      return "false or true alike";
    case ScalarKind::floating:
      return "uniformly from -1 to 1";
    case ScalarKind::signed_integer:
      return type.size == 1 ? "uniformly from its whole range" : "uniformly from -1000 to 1000";
    case ScalarKind::unsigned_integer:
      return type.size == 1 ? "uniformly from its whole range" : "uniformly from 0 to 2000";
  }
  return "at random";
}

std::string drawn(const annotations::Init& init, const ElementType& element) {
  const auto argument = [&](std::size_t i) { return i < init.arguments.size() ? init.arguments[i].text : ""; };
  using annotations::Distribution;
  switch (init.distribution) {
    case Distribution::uniform:
      return init.arguments.empty() ? default_range(element)
                                    : fmt::format("uniformly from {} to {}", argument(0), argument(1));
    case Distribution::normal:
      return fmt::format("from a normal distribution with mean {} and deviation {}", argument(0), argument(1));
    case Distribution::index:
      return fmt::format("indices, uniformly from {} to {} (exclusive), repetitions possible", argument(0),
                         argument(1));
    case Distribution::sorted:
      return "in ascending order" +
             (init.arguments.empty() ? std::string() : fmt::format(" from {} to {}", argument(0), argument(1)));
    case Distribution::permutation:
      return "a random permutation of 0 to length - 1";
    case Distribution::constant:
      return fmt::format("all {}", argument(0));
    case Distribution::zeros:
      return "all zero";
    case Distribution::file:
      return "from a file";
  }
  return "";
}

std::string drawing(const Directive& directive, const Parameter& parameter) {
  const auto init = std::ranges::find_if(directive.inits, [&](const auto& i) { return i.name.text == parameter.name; });
  if (init != directive.inits.end()) return drawn(*init, parameter.element);
  if (parameter.pointer || parameter.element.fields.empty()) return default_range(parameter.element);
  if (!parameter.enumerators.empty()) return "from its enumerators";
  const ScalarKind kind = parameter.element.fields[0].type.kind;
  return kind == ScalarKind::floating || kind == ScalarKind::boolean ? default_range(parameter.element) : "from 0 to 7";
}

std::string overlaps(const KernelSpec& spec, const Parameter& parameter) {
  if (parameter.alias_group < 0) return "overlaps nothing";
  std::vector<std::string> others;
  for (const Parameter& other : spec.parameters)
    if (other.alias_group == parameter.alias_group && other.name != parameter.name) others.push_back(other.name);
  return fmt::format("may overlap {}", fmt::join(others, ", "));
}

std::string pointer_line(const KernelSpec& spec, const Directive& directive, const Parameter& parameter) {
  std::string text = parameter.name + ": ";
  if (const auto* section = section_of(directive, parameter.name))
    text += extent(*section, parameter.element.spelling,
                   !section->structs.empty() || has_row_pointers(spec, parameter.name)) +
            "; ";
  text += parameter.role == Role::in    ? "only read"
          : parameter.role == Role::out ? "only written; write exactly what the original writes, what it holds before "
                                          "the call is rubbish"
                                        : "read and written";
  if (parameter.null) text += "; the pointer may be null, and the code must bear that as the original does";
  text += "; " + overlaps(spec, parameter);
  if (parameter.role != Role::out) text += "; values are drawn " + drawing(directive, parameter);
  return text;
}

// Which problem() clauses set it, and to what.
std::string values_of(const Directive& directive, const std::string& name) {
  std::vector<std::string> values;
  for (const annotations::Problem& problem : directive.problems)
    for (const annotations::Assignment& assignment : problem.values)
      if (assignment.name.text == name && std::ranges::find(values, assignment.value.text) == values.end())
        values.push_back(assignment.value.text);
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string scalar_line(const Directive& directive, const Parameter& parameter) {
  const std::string values = values_of(directive, parameter.name);
  std::string text = fmt::format("{}: {}; ", parameter.name, parameter.type);
  if (parameter.fixed)
    return text + fmt::format("only ever {}, which you may rely on: with other values the original runs", values);
  if (!values.empty()) return text + fmt::format("{} where it is timed, other values where it is verified", values);
  return text + "any value; drawn " + drawing(directive, parameter);
}

bool has_floating(const ElementType& element) {
  return std::ranges::any_of(element.fields, [](const Field& f) { return f.type.kind == ScalarKind::floating; });
}

ScalarType widest_floating(const ElementType& element) {
  ScalarType widest{ScalarKind::floating, 0};
  for (const Field& field : element.fields)
    if (field.type.kind == ScalarKind::floating && field.type.size > widest.size) widest = field.type;
  return widest;
}

std::string default_tolerance(const ScalarType& type) {
  const unsigned size = type.size;
  const double rtol = default_rtol(size, type.brain);
  const char* epsilon = type.brain  ? "7.8e-3"
                        : size == 2 ? "9.8e-4"
                        : size == 4 ? "1.2e-7"
                        : size == 8 ? "2.2e-16"
                                    : "1.1e-19";
  return fmt::format(
      "|got - expected| <= r * max(|expected|, rms of all expected), where r is {:g}, or 4 * {} * sqrt(n) where that "
      "is more, n being the number of floating-point values read and written (the default)",
      rtol, epsilon);
}

std::string one_tolerance(const Tolerance& tolerance, const ElementType& element) {
  if (!has_floating(element) || tolerance.exact) return "exactly the original's values";
  if (!tolerance.rtol && !tolerance.atol && !tolerance.ulp) return default_tolerance(widest_floating(element));
  if (tolerance.ulp) return fmt::format("within {:g} units in the last place", *tolerance.ulp);
  std::string bound = tolerance.atol && *tolerance.atol > 0 ? fmt::format("{:g} + ", *tolerance.atol) : "";
  if (tolerance.rtol)
    return fmt::format("|got - expected| <= {}{:g} * max(|expected|, rms of all expected)", bound, *tolerance.rtol);
  return fmt::format(
      "|got - expected| <= {:g} + r * max(|expected|, rms of all expected), r as by default: 1e-5 for "
      "float, 1e-12 for double, more for many elements",
      *tolerance.atol);
}

}  // namespace

std::string canonical_annotation(const KernelSpec& spec) {
  std::istringstream lines(spec.key_dump);
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (inside && line.starts_with("  ")) {
      text += line.substr(1);
      continue;
    }
    inside = line.starts_with("annotation:");
    if (inside) text = line.substr(std::min<std::size_t>(line.size(), 12));
  }
  return text;
}

std::string annotation_in_words(const KernelSpec& spec) {
  const Directive directive = directive_of(spec);
  if (has_workload(spec))
    return "- a function of the user's makes the arguments, and hands over which results are compared\n- arguments may "
           "overlap\n";
  std::string text;
  for (const Parameter& parameter : spec.parameters) {
    if (parameter.composed || is_memory_of_object(parameter)) continue;  // its parts are told
    if (holds_row_pointers(parameter)) {
      text += "- " + parameter.name + ": leave in them what the original leaves\n";
      continue;
    }
    text += "- " + (parameter.pointer ? pointer_line(spec, directive, parameter) : scalar_line(directive, parameter)) +
            '\n';
  }
  if (spec.result) text += "- the value that it returns is compared too\n";
  return text;
}

std::vector<std::string> problems_in_words(const KernelSpec& spec) {
  std::vector<std::string> labels;
  for (const annotations::Problem& problem : directive_of(spec).problems) {
    std::vector<std::string> values;
    for (const annotations::Assignment& one : problem.values)
      values.push_back(fmt::format("{}={}", one.name.text, one.value.text));
    labels.push_back(fmt::format("{}", fmt::join(values, " ")));
  }
  return labels;
}

std::string tolerance_in_words(const KernelSpec& spec) {
  std::vector<std::pair<std::string, std::vector<std::string>>> rules;  // each with the outputs it holds for
  const auto add = [&](const std::string& name, const std::string& rule) {
    const auto known = std::ranges::find(rules, rule, &decltype(rules)::value_type::first);
    if (known != rules.end()) return known->second.push_back(name);
    rules.push_back({rule, {name}});
  };
  for (const Parameter& parameter : spec.parameters)
    if (parameter.pointer && parameter.role != Role::in && (!has_workload(spec) || parameter.name.starts_with("close")))
      add(parameter.name, one_tolerance(parameter.tolerance, parameter.element));
  if (spec.result) add("the returned value", one_tolerance(spec.result_tolerance, *spec.result));
  std::string text;
  for (const auto& [rule, names] : rules)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fmt::join(names, ", "), rule);
  return text;
}

}  // namespace hone::tune
