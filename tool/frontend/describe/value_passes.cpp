#include <clang/AST/Decl.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/describe/describer.h"
#include "tool/frontend/describe/loop_bounds.h"
#include "tool/frontend/describe/possible_value.h"
#include "tool/frontend/parse/device_code.h"

namespace hone::frontend {

using annotations::Expression;
using annotations::Location;

Init Describer::drawn_as(const annotations::Init& init) {
  Init drawn;
  drawn.distribution = static_cast<Distribution>(init.distribution);
  for (const Expression& argument : init.arguments) drawn.arguments.push_back(number(argument));
  if (init.arguments.size() == 2) check_bounds(drawn.distribution, init.arguments[0], init.arguments[1]);
  if (!init.path.empty()) drawn.path = (std::filesystem::path(folder_) / init.path).lexically_normal().string();
  return drawn;
}

// "cells.x": a member of each element of an array of structs.
bool Describer::add_member_init(const annotations::Init& init) {
  const std::string& path = init.name.text;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
    const std::optional<unsigned> index = plan_.known(path.substr(0, dot));
    if (!index) continue;
    const std::string member = path.substr(dot + 1);
    const auto& fields = spec_.parameters[*index].element.fields;
    if (!plan_.is_number_in_structs(*index, member) &&
        (!plan_.holds_elements(*index) || std::ranges::find(fields, member, &Field::name) == fields.end()))
      continue;
    if (init.distribution == annotations::Distribution::file)
      mistake(DiagnosticCode::init_file_member, init.name.location,
              "file(…) holds whole elements; name the array itself, without '." + member + "'");
    Init drawn = drawn_as(init);
    spec_.parameters[*index].member_inits.push_back({member, std::move(drawn)});
    return true;
  }
  return false;
}

// Without a word of how it is drawn, an array whose last element is an extent holds offsets.
void Describer::add_bounds() {
  for (const auto& [array, path] : plan_.bounds()) {
    if (spec_.parameters[array].init) continue;
    Init drawn{Distribution::sorted, {}, ""};
    for (const std::string& end : {std::string("0"), path})
      drawn.arguments.push_back(number({end, directive_.location}));
    spec_.parameters[array].init = std::move(drawn);
  }
}

void Describer::add_inits() {
  for (const annotations::Init& init : directive_.inits) {
    if (add_member_init(init)) continue;
    const std::optional<unsigned> index = datum(init.name, "init", &ArgumentPlan::drawn);
    if (!index) continue;
    Parameter& described = spec_.parameters[*index];
    if (described.init)
      mistake(DiagnosticCode::init_twice, init.name.location, "'" + init.name.text + "' is initialized twice");
    if (described.composed)
      mistake(DiagnosticCode::members_instead, init.name.location,
              "'" + init.name.text + "' is put together of its members; name those");
    Init drawn = drawn_as(init);
    spec_.parameters[*index].init = std::move(drawn);
  }
}

void Describer::check_bounds(Distribution distribution, const Expression& first, const Expression& second) {
  struct Bounds {
    std::optional<double> first, second;
  };
  const auto bounds = std::make_shared<Bounds>();  // whichever is known last finds the other
  const auto look = [&](const Expression& expression, std::optional<double> Bounds::*mine) {
    look_at_constant(expression, [bounds, mine, distribution](double value) {
      (*bounds).*mine = value;
      return bounds->first && bounds->second ? why_nothing_to_draw(distribution, *bounds->first, *bounds->second)
                                             : std::string();
    });
  };
  look(first, &Bounds::first);
  look(second, &Bounds::second);
}

void Describer::add_problems() {
  for (const annotations::Problem& clause : directive_.problems) {
    const std::size_t number = spec_.problems.size();
    Problem problem;
    std::vector<ProblemValue> values;
    for (const annotations::Assignment& assignment : clause.values) {
      const std::optional<unsigned> index = datum(assignment.name, "problem", &ArgumentPlan::scalar);
      if (!index) continue;
      note_scalars(assignment.value);
      if (spec_.parameters[*index].composed)
        mistake(DiagnosticCode::members_instead, assignment.name.location,
                "'" + assignment.name.text + "' is put together of its members; give those values");
      else if (plan_.facts(*index).number)
        mistake(DiagnosticCode::problem_not_scalar, assignment.name.location,
                "'" + assignment.name.text +
                    "' is drawn, since in(…), out(…) or inout(…) names it; leave it out "
                    "there, and the problem gives it its value");
      else if (spec_.parameters[*index].pointer || spec_.parameters[*index].stream)
        mistake(DiagnosticCode::problem_not_scalar, assignment.name.location,
                "'" + assignment.name.text + "' is a pointer; a problem gives values to scalars");
      if (std::ranges::count(problem.assigned, *index))
        mistake(DiagnosticCode::problem_value_twice, assignment.name.location,
                "'" + assignment.name.text + "' is given two values in one problem");
      problem.assigned.push_back(*index);
      values.push_back({*index, assignment.value});
      look_at_constant(assignment.value, [parameter = spec_.parameters[*index]](double value) {
        return why_impossible(parameter, value);
      });
    }
    spec_.problems.push_back(std::move(problem));
    description_.problem_values.push_back(std::move(values));
    if (clause.weight)
      constant(*clause.weight, [number](KernelSpec& spec, double value) -> std::string {
        if (!(value > 0) || !std::isfinite(value)) return "a weight must be a positive number";
        spec.problems[number].weight = value;
        return "";
      });
  }
}

void Describer::add_conditions() {
  for (const Expression& condition : directive_.conditions) spec_.conditions.push_back(number(condition));
}

// Not where recording_text.h says why not.
bool Describer::may_be_captured() const {
  return !is_global(function_) && !function_.isConstexpr() &&
         std::ranges::all_of(description_.arguments.rows, [](const PointerRow& row) { return row.table; });
}

// What extents, launches and loops need, every problem must give.
void Describer::check_problems() {
  std::map<unsigned, const char*> needed;
  const std::set<const clang::ParmVarDecl*> bounds = loop_bounds(function_);
  for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
    if (spec_.parameters[i].pointer || spec_.parameters[i].composed) continue;
    if (sizes_.contains(i)) needed[i] = "on which an extent depends";
    const clang::ParmVarDecl* own = plan_.declared(i);
    if (!own) continue;
    if (bounds.contains(own) && !spec_.parameters[i].init) needed[i] = "which bounds a loop";
    if (spec_.parameters[i].fixed) needed[i] = "which is fixed";
    if (used_in_launch(spec_.parameters[i].name)) needed[i] = "on which the launch depends";
    if (used_in_extent(spec_.parameters[i].name)) needed[i] = "on which an extent depends";
  }
  for (const auto& [index, why] : needed)
    if (!spec_.parameters[index].pointer) description_.sizes.push_back(index);
  if (spec_.problems.empty() && !needed.empty()) {
    const std::string& name = spec_.parameters[needed.begin()->first].name;
    const std::string sentence = "no problem is given to verify and tune on; add problem(" + name + "=…)";
    if (first_ > 0 || !directive_.fixed.empty())
      return mistake(DiagnosticCode::problem_missing, directive_.location, sentence);
    description_.lacks_problem = sentence + (may_be_captured() ? ", or record some with hone capture" : "");
  }
  for (std::size_t p = 0; p < spec_.problems.size(); ++p)
    for (const auto& [index, why] : needed) {
      if (std::ranges::count(spec_.problems[p].assigned, index)) continue;
      const std::string& name = spec_.parameters[index].name;
      mistake(DiagnosticCode::problem_value_missing, directive_.problems[p].location,
              "this problem gives no value to '" + name + "', " + why + "; add " + name + "=…");
    }
  if (spec_.problems.empty()) {  // every extent is constant: there is one problem, and nothing to set
    spec_.problems.emplace_back();
    description_.problem_values.emplace_back();
  }
}

bool Describer::used_in_launch(const std::string& name) const {
  return std::ranges::any_of(launch_expressions(), [&](const Expression& expression) {
    return std::ranges::count(identifiers_in(expression.text), name) > 0;
  });
}

bool Describer::used_in_extent(const std::string& name) const {
  if (in_declared_lengths_.contains(name)) return true;
  for (const annotations::Section& section : directive_.sections)
    for (const annotations::Dimension& dimension : section.dimensions) {
      const auto uses = [&](const Expression& expression) {
        return std::ranges::count(identifiers_in(expression.text), name) > 0;
      };
      if (uses(dimension.length) || (dimension.start && uses(*dimension.start))) return true;
    }
  return false;
}

}  // namespace hone::frontend
