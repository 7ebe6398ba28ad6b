#include <algorithm>
#include <cmath>
#include <set>

#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/describe/describer.h"
#include "tool/model/workload_kernel.h"

namespace hone::frontend {

using annotations::Expression;
using annotations::Location;

// The clause without names speaks for the outputs that no other clause names.
void Describer::add_tolerances() {
  std::set<std::string> named;
  for (const annotations::Tolerance& clause : directive_.tolerances)
    for (const annotations::Name& name : clause.names) named.insert(name.text);
  for (const annotations::Tolerance& clause : directive_.tolerances) {
    std::vector<int> targets;  // parameters; -1: the return value
    for (const annotations::Name& name : clause.names)
      if (const std::optional<unsigned> index = named_before(name, "tolerance")) {
        if (!is_output(*index))
          mistake(DiagnosticCode::tolerance_not_output, name.location,
                  "'" + name.text + "' is not an output; a tolerance belongs to out(…) and inout(…)");
        targets.push_back(static_cast<int>(*index));
      }
    if (clause.names.empty()) {
      for (unsigned i = 0; i < spec_.parameters.size(); ++i)
        if (is_output(i) && !named.contains(spec_.parameters[i].name)) targets.push_back(static_cast<int>(i));
      targets.push_back(-1);
    }
    for (int target : targets) set_tolerance(clause, target);
  }
}

bool Describer::is_output(unsigned index) const {
  return spec_.parameters[index].pointer && spec_.parameters[index].role != Role::in;
}

Tolerance& Describer::tolerance_of(KernelSpec& spec, int target) {
  return target < 0 ? spec.result_tolerance : spec.parameters[static_cast<unsigned>(target)].tolerance;
}

void Describer::set_tolerance(const annotations::Tolerance& clause, int target) {
  tolerance_of(spec_, target).exact = clause.exact;
  const auto set = [&](const std::optional<Expression>& expression, Bound bound) {
    if (!expression) return;
    constant(*expression, [target, bound](KernelSpec& spec, double value) -> std::string {
      if (!(value >= 0) || !std::isfinite(value)) return "a tolerance must be a number that is not negative";
      tolerance_of(spec, target).*bound = value;
      for (Parameter& parameter : spec.parameters)  // evaluated late, when results have their arrays
        if (has_workload(spec) && parameter.role == Role::out && !parameter.tolerance.exact)
          parameter.tolerance.*bound = value;
      return "";
    });
  };
  set(clause.rtol, &Tolerance::rtol);
  set(clause.atol, &Tolerance::atol);
  set(clause.ulp, &Tolerance::ulp);
}

void Describer::add_fixed() {
  for (const annotations::Name& name : directive_.fixed) {
    const std::optional<unsigned> index = parameter(name, "fixed");
    if (!index) continue;
    if (spec_.parameters[*index].type.ends_with('&') || spec_.parameters[*index].composed) {
      mistake(DiagnosticCode::fixed_not_scalar, name.location,
              "'" + name.text + "' is no number that is passed by value; fixed(…) takes such alone");
      continue;
    }
    Parameter& described = spec_.parameters[*index];
    const std::vector<Field>& fields = described.element.fields;
    if (described.pointer || described.stream || fields.size() != 1 || fields.front().count != 1) {
      mistake(DiagnosticCode::fixed_not_scalar, name.location,
              "'" + name.text + "' is " + (described.pointer ? "a pointer" : "no number") +
                  "; fixed(…) takes scalars that every problem sets");
      continue;
    }
    described.fixed = true;
    for (const auto& values : description_.problem_values)
      for (const ProblemValue& value : values)
        if (value.parameter == *index) check_fixed_value(name.text, value.value);
  }
}

// The linked code compares with it before anything else.
void Describer::check_fixed_value(const std::string& name, const Expression& value) {
  for (const std::string& word : identifiers_in(value.text))
    if (std::ranges::count(spec_.parameters, word, &Parameter::name))
      mistake(DiagnosticCode::fixed_not_constant, value.location,
              "'" + name + "' is fixed, and its value depends on the parameter '" + word +
                  "'; give it a constant, or drop it from fixed(…)");
}

}  // namespace hone::frontend
