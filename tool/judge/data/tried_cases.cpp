#include "tool/judge/data/tried_cases.h"

#include <algorithm>
#include <cmath>

#include "tool/judge/data/scalar.h"
#include "tool/judge/data/special_values.h"

namespace hone::judge {
namespace {

const char* name_of(Distribution distribution) {
  switch (distribution) {
    case Distribution::uniform:
      return "uniform";
    case Distribution::normal:
      return "normal";
    case Distribution::index:
      return "indices";
    case Distribution::sorted:
      return "sorted";
    case Distribution::permutation:
      return "permutations";
    case Distribution::constant:
    case Distribution::zeros:
      return "constant";
    case Distribution::file:
      return "a file";
  }
  return "";
}

// A judgment has many draws. What each draws anew is left out of the ranges, which tell the sizes.
void note_scalars(Tried& tried, const KernelData& spec, const Case& c) {
  for (const unsigned index : spec.problems[c.problem].assigned) {
    const Parameter& parameter = spec.parameters[index];
    visit_scalar(scalar_type(parameter), [&]<class T>(Tag<T>) {
      const double value = as_double(load<T>(bytes_of(c.scalars[index])));
      if (std::isfinite(value)) tried.note_scalar(parameter.name, value);
    });
  }
}

}  // namespace

void note_case(Tried& tried, const KernelData& spec, const Case& c) {
  ++tried.cases;
  note_scalars(tried, spec, c);
  for (const Parameter& parameter : spec.parameters)
    if (parameter.pointer && parameter.role != Role::out)
      tried.note_values(name_of(parameter.init ? parameter.init->distribution : Distribution::uniform));
  tried.note_values(special_name(c.special));
  tried.note_values(pattern_name(c.pattern.kind));
}

}  // namespace hone::judge
