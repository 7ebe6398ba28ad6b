// How often the judge accepts identical code, and how often it accepts a planted gain: whole evaluations by
// hone-worker, idle or with another process busy. Prints counts and the 95% upper bound that follows for the rate.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tool/compile/compiler.h"
#include "tool/executor/make_executor.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace {

namespace fs = std::filesystem;

// Memory-bound, and compute-bound with a dial: `rounds` steps of a recurrence that the compiler can neither shorten nor
// vectorize away. The planted gain does the part of the rounds whose result is not needed less often.
constexpr const char* kSaxpy = R"(
#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n = 1 << 18, a = 0.5f)
void kernel(float a, const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
)";
constexpr const char* kRounds = R"(
static inline float spin(float v, int rounds) {
  for (int r = 0; r < rounds; ++r) v = v * 0.999f + 0.25f;
  asm volatile("" : "+x"(v));
  return v;
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n = 2048)
void kernel(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    spin(x[i], ROUNDS);
    y[i] = 2.0f * x[i];
  }
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

// Busy on another core until the benchmark ends.
pid_t start_load() {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    volatile double sink = 1;
    for (;;) sink = sink * 1.0000001 + 1e-9;
  }
  return child;
}

void append_samples(const std::string& file, const hone::Verdict& verdict) {
  std::ofstream out(file, std::ios::app);
  for (const auto& problem : verdict.measurement.problems) {
    const char* separator = "[";
    for (std::size_t i = 0; i < problem.reference_samples.size(); ++i, separator = ",")
      out << fmt::format("{}[{:.4g},{:.4g}]", separator, problem.reference_samples[i], problem.candidate_samples[i]);
    out << "]\n";
  }
}

template <class T>
T must(hone::Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message());
    std::exit(3);
  }
  return std::move(*result);
}

}  // namespace

int main(int argc, char** argv) {
  std::string kind = "identical";
  unsigned runs = 200;
  double gain = 0.05;
  bool load = false;
  std::string samples;
  CLI::App app{"False accepts and power of the judge"};
  app.add_option("--case", kind, "identical (memory-bound), identical-compute, planted")
      ->check(CLI::IsMember({"identical", "identical-compute", "planted"}));
  app.add_option("--runs", runs, "Evaluations");
  app.add_option("--gain", gain, "Planted share of the time saved");
  app.add_flag("--load", load, "Keep another process busy");
  app.add_option("--samples", samples, "File for the raw samples: a line an evaluation, a JSON array of pairs");
  CLI11_PARSE(app, argc, argv);

  auto folder = must(hone::os::TemporaryFolder::create("hone-judge-rates"));
  const std::string file = (folder.path() / "kernel.cpp").string();
  constexpr int kRoundsOfOriginal = 400;
  const std::string original =
      kind == "identical" ? kSaxpy : replaced(kRounds, "ROUNDS", std::to_string(kRoundsOfOriginal));
  must(hone::os::write_file_atomically(file, original).map([] { return 0; }));

  const hone::CompileCommand command{
      folder.path().string(), file, "kernel.o", {"g++", "-O3", "-march=native", "-c", file, "-o", "kernel.o"}};
  auto found = must(hone::frontend::find_kernels(command, {}));
  if (found.kernels.empty()) {
    for (const auto& diagnostic : found.diagnostics) fmt::print(stderr, "{}\n", diagnostic.rendered);
    return 3;
  }
  hone::KernelSpec spec = found.kernels.front().spec;
  hone::os::PosixProcessRunner runner;
  hone::compile::Compiler compiler(runner, command);
  const auto unit = must(compiler.freeze(spec));
  std::string candidate = spec.unit.definition;
  if (kind == "planted")
    candidate = replaced(candidate, std::to_string(kRoundsOfOriginal),
                         std::to_string(static_cast<int>(std::lround(kRoundsOfOriginal * (1 - gain)))));
  auto objects_of = [&](const std::string& source) {
    auto compiled = must(compiler.compile(unit, source));
    if (auto* verdict = std::get_if<hone::Verdict>(&compiled)) {
      fmt::print(stderr, "{}\n{}\n", verdict->reason, verdict->detail);
      std::exit(3);
    }
    return std::get<hone::compile::Objects>(compiled);
  };
  const auto reference = objects_of(spec.unit.definition);
  const auto variant = objects_of(candidate);
  spec.unit = {};
  spec.key_dump.clear();

  auto executor = must(hone::executor::make_executor("local", runner));
  const pid_t busy = load ? start_load() : 0;
  std::random_device entropy;
  unsigned accepted = 0, wrong = 0;
  double seconds = 0;
  for (unsigned i = 0; i < runs; ++i) {
    hone::bundle::Bundle bundle;
    bundle.kernel = spec;
    bundle.data = spec;
    bundle.plan.task = hone::bundle::Task::candidate;
    bundle.plan.seed = (static_cast<std::uint64_t>(entropy()) << 32) | entropy();
    bundle.reference = reference.plain;
    bundle.candidate = variant.plain;
    bundle.sanitized_reference = reference.sanitized;
    bundle.race_checked_reference = reference.race_checked;
    bundle.race_checked_candidate = variant.race_checked;
    bundle.plan.race_preload = reference.race_runtime;
    bundle.sanitized_candidate = variant.sanitized;
    const auto verdict = must(executor->run(bundle));
    accepted += verdict.faster;
    wrong += !verdict.right;
    seconds += verdict.seconds;
    if (!verdict.right) fmt::print(stderr, "not right: {}\n", verdict.reason);
    if (!samples.empty()) append_samples(samples, verdict);
  }
  if (busy > 0) {
    kill(busy, SIGKILL);
    waitpid(busy, nullptr, 0);
  }
  fmt::print("{}{}: {} of {} accepted ({} judged wrong), {:.2f} s an evaluation", kind,
             load ? ", other core loaded" : "", accepted, runs, wrong, seconds / runs);
  // Rule of three for none, else the Poisson bound by normal approximation.
  const double bound = accepted == 0 ? 3.0 / runs : (accepted + 1.96 * std::sqrt(accepted) + 1.92) / runs;
  if (kind != "planted") fmt::print(", 95% upper bound of the rate {:.2f}%", 100 * std::min(bound, 1.0));
  fmt::print("\n");
  return 0;
}
