// How often does the rule of tool/statistics/statistics.h accept what is no gain, and find what is one? Simulated, so
// that thousands of evaluations are to be had; docs/statistics.md has the commands. Prints Markdown.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

#include "tests/benchmarks/synthetic_machine.h"

namespace {

using namespace hone;
using benchmarks::Judged;
using benchmarks::Trouble;

struct Settings {
  unsigned evaluations = 10000, edge = 3000, power = 300, looks = 8000, searches = 1000, finals = 1000, problems = 1,
           jobs = std::thread::hardware_concurrency();
  std::uint64_t seed = 1;
  std::vector<std::string> only;
  double confidence = statistics::AcceptanceRule{}.confidence;

  std::vector<Trouble> troubles() const {
    std::vector<Trouble> chosen;
    for (const Trouble& trouble : benchmarks::troubles())
      if (only.empty() || std::ranges::count(only, trouble.name) > 0) chosen.push_back(trouble);
    return chosen;
  }
};

constexpr double threshold_gain = 0.02;

// Over all processors; `each` must depend on its number alone.
void for_each(unsigned count, unsigned jobs, const std::function<void(unsigned)>& each) {
  std::atomic<unsigned> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned job = 0; job < jobs; ++job)
    threads.emplace_back([&] {
      for (unsigned i = next++; i < count; i = next++) each(i);
    });
}

struct Tally {
  unsigned yes = 0, of = 0;
  double seconds = 0;  // of measuring, on average
};

Tally evaluations(const Trouble& trouble, double gain, unsigned count, const Settings& settings) {
  statistics::AcceptanceRule rule;
  rule.confidence = settings.confidence;
  std::vector<Judged> judged(count);
  for_each(count, settings.jobs, [&](unsigned i) {
    const std::uint64_t seed = hone::derive(settings.seed, std::uint64_t{i} << 20);
    judged[i] = benchmarks::judge(trouble, 1 - gain, rule, seed, settings.problems);
  });
  Tally tally{.of = count};
  for (const Judged& one : judged) {
    tally.yes += one.faster();
    tally.seconds += one.seconds / count;
  }
  return tally;
}

// 95%, one-sided, by Wilson 1927; exact where there is none.
double upper_bound(unsigned yes, unsigned of) {
  if (yes == 0) return 1 - std::pow(0.05, 1.0 / of);
  const double n = of, p = yes / n, z = 1.645;
  return (p + z * z / (2 * n) + z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n);
}

std::string rate(unsigned yes, unsigned of) {
  if (of == 0) return "–";
  return fmt::format("{} of {}: {:.2f}%, under {:.2f}%", yes, of, 100.0 * yes / of, 100 * upper_bound(yes, of));
}

void head(std::initializer_list<const char*> columns) {
  std::string line = "\n|", rule = "|";
  for (const char* column : columns) {
    line += fmt::format(" {} |", column);
    rule += " --- |";
  }
  fmt::print("{}\n{}\n", line, rule);
}

void row(const std::vector<std::string>& cells) {
  fmt::print("| {} |\n", fmt::join(cells, " | "));
  std::fflush(stdout);
}

void print_false_accepts(const Settings& settings) {
  head({"machine", "identical code accepted", "seconds on it", "a gain of 2.0%, the threshold, accepted"});
  for (const Trouble& trouble : settings.troubles()) {
    const Tally identical = evaluations(trouble, 0, settings.evaluations, settings);
    const Tally edge = evaluations(trouble, threshold_gain, settings.edge, settings);
    row({trouble.name, rate(identical.yes, identical.of), fmt::format("{:.2f}", identical.seconds),
         rate(edge.yes, edge.of)});
  }
}

// At each look alone, on gains of exactly the threshold; fewer of the longer ones.
void print_looks(const Settings& settings) {
  head({"machine", "accepted at 0.1 s", "0.5 s", "2 s", "8 s"});
  const statistics::AcceptanceRule rule;
  for (const Trouble& trouble : settings.troubles()) {
    std::vector<std::string> cells{trouble.name};
    for (unsigned look = 0; look < rule.looks.size(); ++look) {
      constexpr double shares[] = {1, 0.25, 0.075, 0.025};
      const auto count = static_cast<unsigned>(shares[look] * settings.looks);
      const auto pairs = static_cast<std::size_t>(std::llround(rule.looks[look] / (2 * trouble.side)));
      std::atomic<unsigned> yes = 0;
      for_each(count, settings.jobs, [&](unsigned i) {
        statistics::PairedSamples samples;
        benchmarks::Machine(trouble, rule.threshold, hone::derive(settings.seed + 6 + look, i)).measure(samples, pairs);
        yes += statistics::estimate(std::span(&samples, 1), rule, look).decision == statistics::Decision::faster;
      });
      cells.push_back(rate(yes, count));
    }
    row(cells);
  }
}

void print_power(const Settings& settings) {
  head({"machine", "2.5%", "3%", "4%", "5%", "10%"});
  for (const Trouble& trouble : settings.troubles()) {
    std::vector<std::string> cells{trouble.name};
    for (const double gain : {0.025, 0.03, 0.04, 0.05, 0.1}) {
      const Tally found = evaluations(trouble, gain, settings.power, settings);
      cells.push_back(fmt::format("{:.0f}% in {:.1f} s", 100.0 * found.yes / found.of, found.seconds));
    }
    row(cells);
  }
}

bool ends_with_a_variant(const Trouble& trouble, double gain, unsigned finalists, std::uint64_t seed) {
  for (unsigned finalist = 0; finalist < std::min(finalists, 3u); ++finalist)
    if (benchmarks::judge(trouble, 1 - gain, statistics::rule_for_finals(), hone::derive(seed, 1000 + finalist))
            .faster())
      return true;
  return false;
}

// The worst that a search can bring: three finalists, all of no gain, however they were chosen.
void print_finals(const Settings& settings) {
  head({"machine, every finalist's true gain", "finals of three that end with a variant"});
  for (const Trouble& trouble : settings.troubles())
    for (const double gain : {0.0, threshold_gain}) {
      std::atomic<unsigned> ended = 0;
      for_each(settings.finals, settings.jobs, [&](unsigned search) {
        const std::uint64_t seed = hone::derive(settings.seed + 2, std::uint64_t{search} << 24);
        ended += ends_with_a_variant(trouble, gain, 3, seed);
      });
      row({fmt::format("{}, {:.0f}%", trouble.name, 100 * gain), rate(ended, settings.finals)});
    }
}

// A search of 45 trials of no gain: does one get through its trial and then through the measurement afresh?
void print_searches(const Settings& settings) {
  head({"machine, every candidate's true gain", "searches with an accepted trial", "that end with a variant"});
  for (const Trouble& trouble : settings.troubles())
    for (const double gain : {0.0, threshold_gain}) {
      std::atomic<unsigned> tempted = 0, ended = 0;
      for_each(settings.searches, settings.jobs, [&](unsigned search) {
        const std::uint64_t seed = hone::derive(settings.seed + 1, std::uint64_t{search} << 24);
        unsigned finalists = 0;
        for (unsigned trial = 0; trial < 45; ++trial)
          finalists += benchmarks::judge(trouble, 1 - gain, {}, hone::derive(seed, trial)).faster();
        tempted += finalists > 0;
        ended += ends_with_a_variant(trouble, gain, finalists, seed);
      });
      row({fmt::format("{}, {:.0f}%", trouble.name, 100 * gain), rate(tempted, settings.searches),
           rate(ended, settings.searches)});
    }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("False accepts and power of the acceptance rule on synthetic machines");
  app.add_option("--evaluations", settings.evaluations, "of identical code, for each machine");
  app.add_option("--edge", settings.edge, "evaluations of a gain that just is not enough, for each machine");
  app.add_option("--looks", settings.looks, "of a gain that just is not enough, at the first look alone; fewer later");
  app.add_option("--power", settings.power, "evaluations for each machine and gain");
  app.add_option("--searches", settings.searches, "of 45 trials, for each machine");
  app.add_option("--finals", settings.finals, "of three finalists, for each machine");
  app.add_option("--only", settings.only, "the machines of these names");
  app.add_option("--problems", settings.problems, "of the kernel, of equal weight");
  app.add_option("--confidence", settings.confidence);
  app.add_option("--seed", settings.seed);
  app.add_option("--jobs", settings.jobs);
  CLI11_PARSE(app, argc, argv);
  settings.jobs = std::max(settings.jobs, 1u);
  if (settings.evaluations + settings.edge > 0) print_false_accepts(settings);
  if (settings.looks > 0) print_looks(settings);
  if (settings.power > 0) print_power(settings);
  if (settings.searches > 0) print_searches(settings);
  if (settings.finals > 0) print_finals(settings);
}
