// Stands in for hone-worker where a test needs the same verdict for the same program, whatever the machine does:
// rightness and speed are a function of the candidate's object, and what was made for a device is right, twice as fast
// and, unless PRETEND_NO_NCU is set, bound by memory, on the architecture that PRETEND_ARCHITECTURE names. With
// PRETEND_MIXED set, what does not name that number in its text is slower on the second problem. With
// PRETEND_WIDE set, figures beside the original are in doubt, and of two candidates the second is the faster, else the
// first. PRETEND_MACHINE is the kind of machine that it says it is. What it is judged beside stands in a verdict's
// detail. It runs nothing. Bundle on standard input, answer on standard output.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>

#include "tool/bundle/answer.h"
#include "tool/bundle/bundle.h"

namespace {

using namespace hone;

std::uint64_t number_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3u;
  return hash ^ (hash >> 33);
}

// Without scatter, so that the interval does not depend on the seed of the bootstrap.
Measurement measured(const KernelData& spec, double speedup) {
  Measurement measurement;
  measurement.speedup = {speedup, speedup, speedup};
  measurement.decided = true;
  measurement.clock = "process-cpu";
  for (const Problem& problem : spec.problems) {
    ProblemMeasurement one;
    one.label = "as given";
    one.weight = problem.weight;
    one.speedup = measurement.speedup;
    one.reference_samples.assign(200, 1e-5);
    one.candidate_samples.assign(200, 1e-5 / speedup);
    one.reference_seconds = 1e-5;
    one.candidate_seconds = 1e-5 / speedup;
    measurement.problems.push_back(std::move(one));
  }
  return measurement;
}

// Three times as fast on the first of two problems, five times as slow on the second.
Measurement mixed(const KernelData& spec) {
  Measurement measurement = measured(spec, 3);
  ProblemMeasurement& second = measurement.problems.at(1);
  second.speedup = {0.2, 0.2, 0.2};
  second.candidate_seconds = 1e-5 / 0.2;
  second.candidate_samples.assign(200, second.candidate_seconds);
  const double both = std::sqrt(3 * 0.2);
  measurement.speedup = {both, both, both};
  return measurement;
}

void scatter(Measurement& measurement) {
  constexpr double by = 1.05;
  for (ProblemMeasurement& problem : measurement.problems)
    for (std::size_t i = 0; i < problem.candidate_samples.size(); ++i)
      problem.candidate_samples[i] *= 2 * i < problem.candidate_samples.size() ? by : 1 / by;
}

// Of a kernel that moves 3 TB/s.
DeviceProfile profiled() {
  LaunchCounters kernel{.kernel = "pretended(float const *, float *, int)", .grid = "4096, 1, 1", .block = "256, 1, 1"};
  kernel.seconds = kernel.total_seconds = 1e-4;
  kernel.memory_share = kernel.dram_share = 0.87;
  kernel.compute_share = 0.21;
  kernel.bytes_read = kernel.bytes_written = 1.5e8;
  kernel.float_instructions = kernel.float_multiply_adds = 2e8;
  return {.problem = "as given", .launches = 1, .seconds = 1e-4, .kernels = {kernel}};
}

std::string architecture() {
  const char* named = std::getenv("PRETEND_ARCHITECTURE");
  return named ? named : "sm_90";
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int count, char** arguments) {
  const double from = now();
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  const auto bundle = bundle::parse_bundle(bytes);
  if (!bundle) return 1;
  bundle::Answer verdict;
  verdict.sandbox = "none: nothing was run";
  verdict.stage = Stage::done;
  verdict.right = true;
  if (bundle->data.cuda) verdict.architecture = architecture();
  if (const char* machine = std::getenv("PRETEND_MACHINE")) verdict.machine = machine;
  if (!bundle->precise_reference.empty()) verdict.detail = "beside the original in double";
  if (bundle->plan.task == bundle::Task::candidate) {
    // nvcc's objects are never the same twice.
    const std::uint64_t number = bundle->data.cuda ? 601 : number_of(bundle->candidate);
    if (number % 5 == 0 && !std::getenv("PRETEND_MIXED")) {
      verdict.stage = Stage::verify;
      verdict.right = false;
      verdict.reason = "y[0] is wrong: expected 1, got " + std::to_string(number % 7);
    } else if (const char* border = std::getenv("PRETEND_MIXED");
               border &&
               std::ranges::find(bundle->plan.constants, std::atoll(border)) == bundle->plan.constants.end()) {
      verdict.measurement = mixed(bundle->data);
      verdict.stage = Stage::time;
      verdict.reason = "slower on the second problem";
    } else {
      const double speedup = 0.8 + static_cast<double>(std::getenv("PRETEND_MIXED") ? 600 : number % 1000) / 500;
      verdict.measurement = measured(bundle->data, speedup);
      if (std::getenv("PRETEND_WIDE")) scatter(verdict.measurement);
      verdict.faster = speedup > 1.1;
      if (!verdict.faster) verdict.stage = Stage::time;
      verdict.reason = verdict.faster ? "faster" : "not faster";
    }
  } else if (bundle->plan.task == bundle::Task::count && bundle->data.cuda) {
    verdict.stage = Stage::verify;
    verdict.right = false;
    verdict.reason = "not profiled: ncu is not installed where the judge runs";
    if (!std::getenv("PRETEND_NO_NCU")) verdict.profile = profiled();
  } else if (bundle->plan.task == bundle::Task::measure) {
    const double other = std::getenv("PRETEND_WIDE") ? 1.5 : 0.5;  // what a reduction leaves is slower
    verdict.measurement = measured(bundle->data, bundle->reference == bundle->candidate ? 1 : other);
    if (bundle->plan.wants_rates && bundle->data.cuda) {
      verdict.rates = {"NVIDIA Pretended",
                       4e12,
                       6e13,
                       3e13,
                       1.2e14,
                       5e14,
                       {.multiprocessors = 132, .threads_of_multiprocessor = 2048, .shared_bytes_of_block = 48 << 10}};
      for (ProblemMeasurement& problem : verdict.measurement.problems) problem.bytes = 3e7;
    }
  }
  const bool logs = count > 2 && bundle->plan.task == bundle::Task::candidate;
  if (logs) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(std::atof(arguments[2])));
  std::cout << bundle::serialize_answer(verdict, bytes) << std::flush;
  if (logs) std::ofstream(arguments[1], std::ios::app) << "judge " << std::fixed << from << ' ' << now() << '\n';
}
