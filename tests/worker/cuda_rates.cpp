// How often the judge is wrong on a CUDA device, and how fast it is: worker_cuda_rates [IDENTICAL [GAINS [MIXED
// [AT_ONCE]]]].
//
// Judges so many of each: kernels against themselves, kernels against ones that do a little less work, and a mixture of
// right and wrong candidates through all stages, one at a time and four at once on each device, or AT_ONCE alone.
// Prints a line for each kind; the judging is hone-worker --batch's.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "tests/worker/cuda_bench.h"
#include "tool/bundle/answer.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace {

using namespace hone;
using namespace hone::test;

const std::vector<int> sizes{1 << 20};

// `rounds` of arithmetic that leaves the value as it is, which no compiler can know.
std::string rounds(int count) {
  return fmt::format(R"(
__global__ void step(const float* x, float* y, int n) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float none = n >> 31, one = 1 + none;
  float value = 4 * x[i];
  for (int k = 0; k < {}; ++k) value = value * one + none;
  y[i] = value;
}}
void kernel(const float* x, float* y, int n) {{ step<<<(n + 255) / 256, 256>>>(x, y, n); }}
)",
                     count);
}

struct Kind {
  std::string name;
  std::string original;
  std::vector<std::string> candidates;  // in turn
  bundle::Task task = bundle::Task::measure;
  unsigned count = 0;
};

struct Result {
  double speedup = 0, low = 0, high = 0;
  bool right = false, faster = false;
  double seconds = 0;
  std::string reason;
};

// All bundles of a kind through one batch.
std::vector<Result> judge_all(const Kind& kind, unsigned at_once, double& wall) {
  const auto folder = os::TemporaryFolder::create("hone-cuda-rates").value();
  std::vector<bundle::Bundle> bundles;
  for (unsigned i = 0; i < kind.count; ++i) {
    bundle::Bundle bundle = cuda_saxpy(kind.original, kind.candidates[i % kind.candidates.size()], sizes);
    bundle.plan.task = kind.task;
    (void)os::write_file_atomically(folder.path() / fmt::format("{:04}.bundle", i), serialize(bundle));
    bundles.push_back(std::move(bundle));
  }
  os::PosixProcessRunner runner;
  const auto start = std::chrono::steady_clock::now();
  const auto exit =
      runner.run({.arguments = {HONE_WORKER, "--batch", folder.path().string(), "--at-once", std::to_string(at_once)},
                  .timeout = std::chrono::minutes(10)});
  wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!exit || !exit->ok()) fmt::print("  the batch failed: {}\n", exit ? exit->err : exit.error().message());
  std::vector<Result> results;
  for (unsigned i = 0; i < kind.count; ++i) {
    const auto text = os::read_file(folder.path() / fmt::format("{:04}.verdict", i));
    const auto verdict =
        text ? bundle::read_answer(*text, bundles[i], serialize(bundles[i]), 1e4) : tl::unexpected(text.error());
    if (!verdict) {
      fmt::print("  {}\n", verdict.error().message());
      continue;
    }
    const Speedup& speedup = verdict->measurement.speedup;
    results.push_back({speedup.median, speedup.low, speedup.high, verdict->right, verdict->faster, verdict->seconds,
                       verdict->reason});
  }
  return results;
}

void report(const Kind& kind, const std::vector<Result>& results, double wall) {
  unsigned faster = 0, right = 0, within = 0;
  double mean = 0, least = 1e9, most = 0, seconds = 0, half = 0;
  std::string each;
  for (const Result& result : results) {
    faster += result.faster;
    right += result.right;
    within += std::abs(result.speedup - 1) <= 0.01;
    mean += result.speedup / static_cast<double>(results.size());
    half += (result.high - result.low) / 2 / static_cast<double>(results.size());
    least = std::min(least, result.speedup);
    most = std::max(most, result.speedup);
    seconds += result.seconds / static_cast<double>(results.size());
    each += fmt::format(" {:.3f}", result.speedup);
  }
  fmt::print(
      "{}: {} judged, {} right, {} accepted; mean {:.4f}, {:.4f} to {:.4f}, +-{:.4f}, {} within 1%; {:.2f} s each, "
      "{:.1f} a minute\n",
      kind.name, results.size(), right, faster, mean, least, most, half, within, seconds,
      60 * static_cast<double>(results.size()) / wall);
  fmt::print("   {}\n", each);
  for (const Result& result : results)
    if (&result == &results.front() || !result.right) {
      fmt::print("    {}\n", result.reason);
      break;
    }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (const std::string why = why_no_device(); !why.empty()) {
    fmt::print(stderr, "{}\n", why);
    return 3;
  }
  const auto count = [&](int argument, unsigned otherwise) {
    return argc > argument ? static_cast<unsigned>(std::atoi(argv[argument])) : otherwise;
  };
  const unsigned identical = count(1, 20), gains = count(2, 8), mixed = count(3, 20), only = count(4, 0);
  const std::string quick = rounds(0), slow = rounds(800);
  std::string wrong = quick;
  wrong.replace(wrong.find("4 * x"), 1, "5");
  const std::vector<Kind> kinds{
      {"identical, microseconds", quick, {quick}, bundle::Task::measure, identical},
      {"identical, tens of microseconds", slow, {slow}, bundle::Task::measure, identical},
      {"an eighth less work, about 15 us", rounds(160), {rounds(140)}, bundle::Task::measure, gains},
      {"a twentieth less work, tens of microseconds", slow, {rounds(760)}, bundle::Task::measure, gains},
      {"all stages, right and faster", rounds(200), {quick}, bundle::Task::candidate, mixed},
      {"all stages, right and identical", slow, {slow}, bundle::Task::candidate, mixed},
      {"all stages, wrong", quick, {wrong}, bundle::Task::candidate, mixed},
      {"all stages, a third of each", slow, {quick, slow, wrong}, bundle::Task::candidate, 2 * mixed}};
  std::vector<std::string> units;
  for (const Kind& kind : kinds) {
    units.push_back(cuda_saxpy_unit(kind.original, sizes));
    for (const std::string& text : kind.candidates) units.push_back(cuda_saxpy_unit(text, sizes));
  }
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  compile_cuda_units(units);
  for (const Kind& kind : kinds) {
    const bool whole = kind.task == bundle::Task::candidate;
    const std::vector<unsigned> mixtures = only > 0 ? std::vector{only} : std::vector{1u, 4u};
    for (const unsigned at_once : whole ? mixtures : std::vector{2u}) {
      if (kind.count == 0) continue;
      if (whole) fmt::print("{} at once: ", at_once);
      double wall = 0;
      const auto results = judge_all(kind, at_once, wall);
      report(kind, results, wall);
    }
  }
  return 0;
}
