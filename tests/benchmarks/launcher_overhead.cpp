// What `hone cc` adds to a compile: wall time of whole commands in adjacent pairs, order drawn at random.
//
// Prints the median difference in milliseconds and the median ratio with its 99% interval (the judge's own statistics).

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tool/os/process/process_runner.h"
#include "tool/statistics/statistics.h"

namespace {

double seconds(const std::string& command) {
  hone::os::PosixProcessRunner runner;
  hone::os::Process process;
  process.arguments = {"/bin/sh", "-c", "exec " + command};
  const auto begin = std::chrono::steady_clock::now();
  const auto exit = runner.run(process);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (!exit || !exit->ok()) {
    fmt::print(stderr, "failed: {}\n{}\n", command, exit ? exit->err : exit.error().message());
    std::exit(3);
  }
  return spent.count();
}

}  // namespace

int main(int argc, char** argv) {
  std::string bare, launched;
  unsigned pairs = 200;
  CLI::App app{"Two commands, paired"};
  app.add_option("bare", bare, "The command without hone")->required();
  app.add_option("launched", launched, "The command with it")->required();
  app.add_option("--pairs", pairs, "How many");
  CLI11_PARSE(app, argc, argv);

  std::mt19937_64 random{std::random_device{}()};
  hone::statistics::PairedSamples samples;
  std::vector<double> differences;
  seconds(bare), seconds(launched);
  for (unsigned i = 0; i < pairs; ++i) {
    double a = 0, b = 0;
    if (random() & 1) {
      a = seconds(bare);
      b = seconds(launched);
    } else {
      b = seconds(launched);
      a = seconds(bare);
    }
    samples.reference.push_back(a);
    samples.candidate.push_back(b);
    differences.push_back(b - a);
  }
  std::nth_element(differences.begin(), differences.begin() + differences.size() / 2, differences.end());
  const auto estimate = hone::statistics::estimate(std::span(&samples, 1), {}, 2);
  // A speedup is bare/launched; what is asked for is launched/bare.
  fmt::print("median difference {:.3f} ms; launched/bare {:.4f} (99%: {:.4f} to {:.4f}), {} pairs\n",
             1e3 * differences[differences.size() / 2], 1 / estimate.speedup.median, 1 / estimate.speedup.high,
             1 / estimate.speedup.low, pairs);
  return 0;
}
