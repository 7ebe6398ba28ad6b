#include "tool/tune/roofline.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tool/frontend/work_count.h"
#include "tool/search/prompt/figures.h"
#include "tool/tune/machine_rates.h"

namespace hone::tune {
namespace {

double known(double value) {
  return std::isfinite(value) && value > 0 ? value : 0;
}

// Rates are measured on float; a vector holds half as many of double.
double float_share(const KernelSpec& spec) {
  unsigned size = 0;
  for (const Parameter& parameter : spec.parameters)
    for (const Field& field : parameter.element.fields)
      if (field.type.kind == ScalarKind::floating) size = std::max(size, field.type.size);
  return size > 4 ? 0.5 : 1;
}

std::string of_machine(double achieved, double possible) {
  return possible > 0 ? fmt::format(" ({} of the machine's {})", search::percent_text(achieved / possible),
                                    search::rate_text(possible, ""))
                      : "";
}

}  // namespace

void add_roofline(search::TaskFacts& facts, const KernelSpec& spec, const CompileCommand& command,
                  const frontend::Options& options) {
  const MachineRates& rates = machine_rates(spec.threads, facts.hardware.vector_bits);
  facts.hardware.bandwidth = rates.memory_bandwidth();
  const auto work = frontend::count_work(spec, command, options);
  if (!work) return;
  if (work->has_floating()) facts.hardware.peak_operations = rates.flops * float_share(spec);
  for (search::TaskProblem& problem : facts.problems) {
    const auto values = frontend::scalar_values(problem.label);
    problem.bytes = known(work->bytes(values));
    problem.operations = known(work->operations(values));
    const double moving = problem.bytes / rates.bandwidth(problem.bytes);
    const double computing =
        facts.hardware.peak_operations > 0 ? problem.operations / facts.hardware.peak_operations : 0;
    problem.floor_seconds = known(std::max(moving, computing));
  }
}

std::string achieved(const search::TaskFacts& facts, const Measurement& measurement, bool candidate) {
  std::string text;
  for (const ProblemMeasurement& measured : measurement.problems) {
    const auto problem = std::ranges::find(facts.problems, measured.label, &search::TaskProblem::label);
    const double seconds = candidate ? measured.candidate_seconds : measured.reference_seconds;
    if (problem == facts.problems.end() || seconds <= 0) continue;
    std::string line;
    if (problem->operations > 0) {
      const double rate = problem->operations / seconds;
      line += fmt::format("; {}op/s{}", search::rate_text(rate, ""), of_machine(rate, facts.hardware.peak_operations));
    }
    if (problem->bytes > 0) line += fmt::format("; {}", search::rate_text(problem->bytes / seconds, "B/s"));
    if (problem->floor_seconds > 0)
      line += fmt::format("; {:.1f} times the least time that these rates allow", seconds / problem->floor_seconds);
    if (!line.empty()) text += fmt::format("- {}: {}\n", measured.label, line.substr(2));
  }
  return text;
}

}  // namespace hone::tune
