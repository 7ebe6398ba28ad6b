#include "tool/frontend/find/captured_directive.h"

#include <algorithm>

#include <fmt/format.h>

namespace hone::frontend {
namespace {

using annotations::Directive;

// A number or an array of numbers. A capture may be of another text, and says nothing of a struct's members.
bool takes_init(const KernelData& described, const std::string& name) {
  const auto found = std::ranges::find(described.parameters, name, &Parameter::name);
  if (found == described.parameters.end() || found->composed || found->element.fields.size() != 1) return false;
  const Field& field = found->element.fields.front();
  return field.name.empty() && field.count == 1;
}

annotations::Distribution distribution_of(Distribution distribution) {
  switch (distribution) {
    case Distribution::index:
      return annotations::Distribution::index;
    case Distribution::sorted:
      return annotations::Distribution::sorted;
    default:
      return annotations::Distribution::uniform;
  }
}

annotations::Problem problem_of(const CapturedClauses::Problem& captured, annotations::Location location) {
  annotations::Problem problem{location, {}, annotations::Expression{fmt::format("{:.6f}", captured.weight), location}};
  for (const auto& [name, value] : captured.values) problem.values.push_back({{name, location}, {value, location}});
  return problem;
}

}  // namespace

Directive with_captured(Directive directive, const KernelData& described, const CapturedClauses& captured) {
  const annotations::Location here = directive.location;
  if (directive.problems.empty())
    for (const CapturedClauses::Problem& problem : captured.problems)
      if (!problem.values.empty()) directive.problems.push_back(problem_of(problem, here));
  const std::size_t own = directive.inits.size();
  for (const CapturedClauses::Init& init : captured.inits) {
    const bool said = std::any_of(directive.inits.begin(), directive.inits.begin() + static_cast<std::ptrdiff_t>(own),
                                  [&](const annotations::Init& one) { return one.name.text == init.name; });
    if (said || !takes_init(described, init.name)) continue;
    annotations::Init clause{{init.name, here}, distribution_of(init.distribution), {}, ""};
    for (const std::string& argument : init.arguments) clause.arguments.push_back({argument, here});
    directive.inits.push_back(std::move(clause));
  }
  return directive;
}

}  // namespace hone::frontend
