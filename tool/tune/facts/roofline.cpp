#include "tool/tune/facts/roofline.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tool/frontend/count/work_count.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/search/text/figures.h"
#include "tool/tune/facts/machine_rates.h"

namespace hone::tune {
namespace {

double known(double value) {
  return std::isfinite(value) && value > 0 ? value : 0;
}

// Of the widest floating-point type that the kernel is given, 0 where there is none.
unsigned floating_size(const KernelData& spec) {
  unsigned size = 0;
  for (const Parameter& parameter : spec.parameters)
    for (const Field& field : parameter.element.fields)
      if (field.type.kind == ScalarKind::floating) size = std::max(size, field.type.size);
  return size;
}

// Rates are measured on float; a vector holds half as many of double.
double float_share(const KernelData& spec) {
  return floating_size(spec) > 4 ? 0.5 : 1;
}

// Of all that was launched; 0: not counted.
double operations_of(const DeviceProfile& profile) {
  double operations = 0;
  for (const LaunchCounters& kernel : profile.kernels)
    operations += kernel.times * (kernel.float_operations().value_or(0) + kernel.double_operations().value_or(0));
  return operations;
}

// From and to the device's memory; 0: not counted. What is written may stay in the cache, and is not in it then.
double bytes_of(const DeviceProfile& profile) {
  double bytes = 0;
  for (const LaunchCounters& kernel : profile.kernels) {
    if (!kernel.bytes_read || !kernel.bytes_written) return 0;
    bytes += kernel.times * (*kernel.bytes_read + *kernel.bytes_written);
  }
  return bytes;
}

// Bytes a second that the original reached, whatever was measured while the machine was busy.
double reached(const search::TaskProblem& problem) {
  return problem.seconds > 0 ? problem.bytes / problem.seconds : 0;
}

// Rates that are measured beside other work come out low by no more than this.
constexpr double busy = 2;

// The original does not take less than the least time. What would take longer than it does need not be done: it leaves
// a part of its arrays alone, or its compiler found fewer operations.
void set_floor(search::TaskProblem& problem, const search::Hardware& hardware, double bandwidth) {
  if (reached(problem) > busy * bandwidth) problem.bytes = 0;
  if (bandwidth > 0) bandwidth = std::max(bandwidth, reached(problem));
  problem.bandwidth = problem.bytes > 0 ? bandwidth : 0;
  const double moving = problem.bytes / bandwidth;
  double computing = hardware.peak_operations > 0 ? problem.operations / hardware.peak_operations : 0;
  if (problem.seconds > 0 && computing > problem.seconds) computing = 0;
  problem.floor_seconds = known(std::max(moving, computing));
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
  const double memory = rates.memory_bandwidth();
  facts.hardware.bandwidth = memory;
  const auto work = frontend::count_work(spec, command, options);
  if (!work) return;
  if (work->has_floating()) facts.hardware.peak_operations = rates.flops * float_share(spec);
  for (search::TaskProblem& problem : facts.problems) {
    const auto values = frontend::scalar_values(problem.label);
    problem.bytes = known(work->bytes(values));
    problem.operations = known(work->operations(values));
    if (rates.bandwidth(problem.bytes) == memory && reached(problem) <= busy * memory)
      facts.hardware.bandwidth = std::max(facts.hardware.bandwidth, reached(problem));
  }
  for (search::TaskProblem& problem : facts.problems) {
    const double bandwidth = rates.bandwidth(problem.bytes);
    set_floor(problem, facts.hardware, bandwidth == memory ? facts.hardware.bandwidth : bandwidth);
  }
}

void add_device_roofline(search::TaskFacts& facts, const KernelData& spec, const Verdict& original,
                         const std::optional<DeviceRates>& device) {
  if (!device) return;
  const DeviceRates& rates = *device;
  search::Hardware& hardware = facts.hardware;
  hardware.gpu = fmt::format("{} ({}), {}", rates.device, original.architecture, hardware.gpu);
  hardware.bandwidth = rates.copied;
  hardware.device = rates.limits;
  const unsigned size = floating_size(spec);
  if (size > 0) hardware.peak_operations = size > 4 ? rates.on_double : size == 4 ? rates.on_float : rates.on_half;
  for (const auto& [on, rate] : {std::pair{"float", rates.on_float},
                                 {"double", rates.on_double},
                                 {"pairs of half precision", rates.on_half},
                                 {"tensor cores (half precision summed in float, by mma.sync)", rates.on_tensor_cores}})
    if (rate > 0) hardware.peaks.push_back({on, rate});
  for (search::TaskProblem& problem : facts.problems) {
    const auto measured = std::ranges::find(original.measurement.problems, problem.label, &ProblemMeasurement::label);
    if (measured != original.measurement.problems.end()) problem.bytes = measured->bytes;
    set_floor(problem, hardware, hardware.bandwidth);
  }
}

void add_counters(search::TaskFacts& facts, const DeviceProfile& counted) {
  const auto problem = std::ranges::find(facts.problems, counted.problem, &search::TaskProblem::label);
  if (problem == facts.problems.end()) return;
  problem->operations = operations_of(counted);
  constexpr double clearly_less = 0.85;  // than what stays in the cache explains
  if (const double bytes = bytes_of(counted); bytes > 0 && bytes < clearly_less * problem->bytes)
    problem->bytes = bytes;
  set_floor(*problem, facts.hardware, facts.hardware.bandwidth);
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
