// How often does the rule of tool/evaluate/statistics.h accept what is no gain, and find what is one? Simulated, so
// that thousands of evaluations are to be had: hone_statistics_rates --evaluations 10000 --power 300. Prints Markdown.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <thread>

#include "tests/benchmarks/synthetic_machine.h"

namespace {

using namespace hone;
using benchmarks::Trouble;

struct Settings {
  unsigned evaluations = 10000, power = 300, searches = 1000, finals = 0, problems = 1,
           jobs = std::thread::hardware_concurrency();
  std::uint64_t seed = 1;
  std::string only;
  double confidence = evaluate::AcceptanceRule{}.confidence;
};

// Of `count` evaluations, how many `accepts` says yes to; over all processors.
template <class Accepts>
unsigned count_of(unsigned count, unsigned jobs, Accepts accepts) {
  std::vector<unsigned> yes(jobs, 0);
  std::vector<std::thread> threads;
  for (unsigned job = 0; job < jobs; ++job)
    threads.emplace_back([&, job] {
      for (unsigned i = job; i < count; i += jobs) yes[job] += accepts(i);
    });
  for (std::thread& thread : threads) thread.join();
  unsigned sum = 0;
  for (const unsigned one : yes) sum += one;
  return sum;
}

unsigned accepted(const Trouble& trouble, double ratio, unsigned count, const Settings& settings) {
  evaluate::AcceptanceRule rule;
  rule.confidence = settings.confidence;
  return count_of(count, settings.jobs, [&](unsigned i) {
    const std::uint64_t seed = evaluate::derive(settings.seed, std::uint64_t{i} << 20);
    return benchmarks::judge(trouble, ratio, rule, seed, settings.problems).decision == evaluate::Decision::faster;
  });
}

// 95%, one-sided, Clopper and Pearson 1934, by its normal form where there are several (Wilson 1927).
double upper_bound(unsigned yes, unsigned of) {
  if (yes == 0) return 1 - std::pow(0.05, 1.0 / of);
  const double n = of, p = yes / n, z = 1.645;
  return (p + z * z / (2 * n) + z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n);
}

void print_false_accepts(const Settings& settings) {
  fmt::print(
      "| machine | identical code accepted | of | rate under (95%) | a gain of 2.0% (the threshold) accepted |\n");
  fmt::print("| --- | --- | --- | --- | --- |\n");
  for (const Trouble& trouble : benchmarks::troubles()) {
    if (!settings.only.empty() && trouble.name != settings.only) continue;
    const unsigned yes = accepted(trouble, 1, settings.evaluations, settings);
    const unsigned edge = accepted(trouble, 0.98, settings.power, settings);
    fmt::print("| {} | {} | {} | {:.4f}% | {:.1f}% |\n", trouble.name, yes, settings.evaluations,
               100 * upper_bound(yes, settings.evaluations), 100.0 * edge / settings.power);
    std::fflush(stdout);
  }
}

void print_power(const Settings& settings) {
  fmt::print("\n| machine | 2.5% | 3% | 4% | 5% | 10% |\n| --- | --- | --- | --- | --- | --- |\n");
  for (const Trouble& trouble : benchmarks::troubles()) {
    if (!settings.only.empty() && trouble.name != settings.only) continue;
    fmt::print("| {}", trouble.name);
    for (const double gain : {0.025, 0.03, 0.04, 0.05, 0.1})
      fmt::print(" | {:.0f}%", 100.0 * accepted(trouble, 1 - gain, settings.power, settings) / settings.power);
    fmt::print(" |\n");
    std::fflush(stdout);
  }
}

// As tool/tune/judge.cpp measures finalists.
evaluate::AcceptanceRule patient_rule() {
  evaluate::AcceptanceRule rule;
  rule.confidence = 0.9934;
  rule.looks = {1.0, 2.0, 8.0};
  rule.shares.clear();
  return rule;
}

// The worst that a search can bring: three finalists, all of no gain, however they were chosen.
void print_finals(const Settings& settings) {
  fmt::print("\n| machine, every finalist's true gain | finals of three | that end with a variant |\n");
  fmt::print("| --- | --- | --- |\n");
  for (const Trouble& trouble : benchmarks::troubles()) {
    if (!settings.only.empty() && trouble.name != settings.only) continue;
    for (const double gain : {0.0, 0.02}) {
      const unsigned ended = count_of(settings.finals, settings.jobs, [&](unsigned search) {
        const std::uint64_t seed = evaluate::derive(settings.seed + 2, std::uint64_t{search} << 24);
        for (unsigned finalist = 0; finalist < 3; ++finalist)
          if (benchmarks::judge(trouble, 1 - gain, patient_rule(), evaluate::derive(seed, finalist)).decision ==
              evaluate::Decision::faster)
            return true;
        return false;
      });
      fmt::print("| {}, {:.0f}% | {} | {} |\n", trouble.name, 100 * gain, settings.finals, ended);
      std::fflush(stdout);
    }
  }
}

// A search of 45 trials of no gain: does one get through its trial and then through the measurement afresh?
void print_searches(const Settings& settings) {
  fmt::print(
      "\n| machine, every candidate's true gain | searches | with an accepted trial | that end with a variant |\n");
  fmt::print("| --- | --- | --- | --- |\n");
  for (const char* name : {"quiet", "page placement", "all at once"})
    for (const double gain : {0.0, 0.02}) {
      const auto trouble = *std::ranges::find(benchmarks::troubles(), name, &Trouble::name);
      std::vector<char> tempted(settings.searches, 0);
      const unsigned ended = count_of(settings.searches, settings.jobs, [&](unsigned search) {
        const std::uint64_t seed = evaluate::derive(settings.seed + 1, std::uint64_t{search} << 24);
        unsigned finalists = 0;
        for (unsigned trial = 0; trial < 45; ++trial)
          finalists += benchmarks::judge(trouble, 1 - gain, {}, evaluate::derive(seed, trial)).decision ==
                       evaluate::Decision::faster;
        tempted[search] = finalists > 0;
        for (unsigned finalist = 0; finalist < std::min(finalists, 3u); ++finalist)
          if (benchmarks::judge(trouble, 1 - gain, patient_rule(), evaluate::derive(seed, 1000 + finalist)).decision ==
              evaluate::Decision::faster)
            return true;
        return false;
      });
      fmt::print("| {}, {:.0f}% | {} | {} | {} |\n", name, 100 * gain, settings.searches,
                 std::ranges::count(tempted, 1), ended);
      std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("False accepts and power of the acceptance rule on synthetic machines");
  app.add_option("--evaluations", settings.evaluations, "of identical code, for each machine");
  app.add_option("--power", settings.power, "evaluations for each machine and gain");
  app.add_option("--searches", settings.searches, "of 45 trials, for each machine");
  app.add_option("--finals", settings.finals, "of three finalists, for each machine");
  app.add_option("--only", settings.only, "the machine of this name");
  app.add_option("--problems", settings.problems, "of the kernel, of equal weight");
  app.add_option("--confidence", settings.confidence);
  app.add_option("--seed", settings.seed);
  app.add_option("--jobs", settings.jobs);
  CLI11_PARSE(app, argc, argv);
  settings.jobs = std::max(settings.jobs, 1u);
  if (settings.evaluations > 0 && settings.power > 0) print_false_accepts(settings);
  if (settings.power > 0) print_power(settings);
  if (settings.searches > 0) print_searches(settings);
  if (settings.finals > 0) print_finals(settings);
}
