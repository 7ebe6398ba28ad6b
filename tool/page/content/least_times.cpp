#include "tool/page/content/least_times.h"

#include <algorithm>

#include "tool/base/machine_kind.h"
#include "tool/tune/facts/facts.h"
#include "tool/tune/facts/roofline.h"

namespace hone::page {
namespace {

bool is_of_this_machine(const TimedKernel& timed) {
  return timed.verdict && !timed.kernel->spec.cuda && timed.verdict->machine == processor_kind();
}

LeastTimes of(const TimedKernel& timed) {
  const KernelSpec& spec = timed.kernel->spec;
  search::TaskFacts facts;
  facts.hardware = tune::gather_hardware(spec.target, spec.threads);
  for (const ProblemMeasurement& problem : timed.verdict->measurement.problems)
    facts.problems.push_back({.label = problem.label, .weight = problem.weight, .seconds = problem.reference_seconds});
  tune::add_roofline(facts, spec, timed.kernel->unit.command, project::options_for(timed.kernel->unit, {}));
  LeastTimes least;
  for (const search::TaskProblem& problem : facts.problems)
    if (problem.floor_seconds > 0) least[problem.label] = problem.floor_seconds;
  return least;
}

}  // namespace

std::vector<LeastTimes> least_times(const std::vector<TimedKernel>& timed) {
  std::vector<LeastTimes> found(timed.size());
  project::on_all_processors(timed.size(), [&](std::size_t i) {
    if (is_of_this_machine(timed[i])) found[i] = of(timed[i]);
  });
  return found;
}

}  // namespace hone::page
