#include "tool/judge/process/protocol_limits.h"

#include <fmt/format.h>

#include "tool/runner/protocol.h"

namespace hone::judge {

std::string too_large(const KernelData& spec) {
  const std::size_t most = runner::most_parameters - (spec.result ? 1 : 0);  // the return value is bound as they are
  if (spec.parameters.size() > most)
    return fmt::format("the kernel has {} parameters; the judge takes {}", spec.parameters.size(), most);
  if (spec.expression_count > runner::most_expressions)
    return fmt::format("the clauses have {} expressions; the judge takes {}", spec.expression_count,
                       runner::most_expressions);
  if (spec.problems.size() >= runner::most_sets)
    return fmt::format("there are {} problems; the judge takes {}", spec.problems.size(), runner::most_sets - 1);
  if (spec.result && spec.result->size > runner::result_bytes)
    return "the return value is larger than the judge takes; use an out() parameter";
  for (const Parameter& parameter : spec.parameters)
    if (!parameter.pointer && (parameter.element.size > runner::scalar_bytes || parameter.element.fields.size() != 1))
      return fmt::format("{} is passed by value and is not a plain scalar: pass plain arrays and scalars instead",
                         parameter.name);
  return "";
}

}  // namespace hone::judge
