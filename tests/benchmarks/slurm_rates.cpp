// What Slurm costs a judgment, and what a second node brings. Figures and what they mean: docs/BENCHMARKS.md.
//
// Starts a Slurm of its own with two nodes on this machine. For the second figure each has a processor and, as another
// machine would, a /tmp of its own, where timings take turns; that takes root, or user namespaces. TMPDIR has to be
// elsewhere than in /tmp.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/executor/slurm_cluster.h"
#include "tests/worker/judge_bench.h"
#include "tool/base/median.h"
#include "tool/executor/make_executor.h"

namespace {

using namespace hone;
using Clock = std::chrono::steady_clock;

constexpr int rounds = 40, trials = 16;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}

double seconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bundle::Bundle bundle_of(double look) {
  const auto text = [](const char* body) {
    return fmt::format("void kernel(const float* x, float* y, int n) {{ for (int i = 0; i < n; ++i) y[i] = {}; }}\n",
                       body);
  };
  bundle::Bundle bundle;
  const KernelSpec spec = test::Saxpy::spec({20000});
  bundle.kernel = spec;
  bundle.data = spec;
  bundle.plan.rule.looks = {look};
  bundle.plan.rule.shares = {};
  bundle.reference = test::compile(test::Saxpy::unit(text("2 * x[i]"), {20000}));
  bundle.candidate = test::compile(test::Saxpy::unit(text("x[i] + x[i]"), {20000}));
  return bundle;
}

void judge(bundle::Executor& executor, bundle::Bundle bundle) {
  static std::uint64_t seed = 0;
  bundle.plan.seed = ++seed;
  const bundle::Answer answer = must(executor.run(bundle));
  if (!answer.right) throw std::runtime_error(answer.reason);
}

// Paired, so that what else the machine does is in each of the three alike. Not timed: nothing waits for its turn.
void overhead(os::ProcessRunner& runner) {
  const std::string worker = std::getenv("HONE_WORKER");
  bundle::Bundle quick = bundle_of(0.02);
  quick.plan.task = bundle::Task::verify;
  const auto here = must(executor::make_executor("local", runner)),
             each = must(executor::make_executor("command:srun -n1 --mpi=none " + worker + " -", runner)),
             stays = must(executor::make_executor("slurm:slow", runner));
  judge(*stays, quick);
  std::vector<double> alone, with_each, with_stays;
  for (int round = 0; round < rounds; ++round) {
    const double local = seconds_of([&] { judge(*here, quick); });
    alone.push_back(local);
    with_each.push_back(seconds_of([&] { judge(*each, quick); }) - local);
    with_stays.push_back(seconds_of([&] { judge(*stays, quick); }) - local);
  }
  fmt::print(
      "bundle: {} bytes\nlocal: {:.0f} ms a judgment\nan srun for each: {:+.0f} ms\na worker that stays: {:+.0f} ms\n",
      serialize(quick).size(), 1e3 * median(alone), 1e3 * median(with_each), 1e3 * median(with_stays));
}

double rate(os::ProcessRunner& runner, unsigned nodes) {
  const auto source = must(executor::Source::open("slurm:slow", runner, {.most_workers = nodes}));
  const auto executor = source.make();
  const bundle::Bundle bundle = bundle_of(0.5);
  const auto several = [&](int count) {
    std::vector<std::future<void>> all;
    for (int i = 0; i < count; ++i)
      all.push_back(std::async(std::launch::async, [&, i] {
        bundle::Bundle mine = bundle;
        mine.plan.seed = 1000 + static_cast<std::uint64_t>(i);
        must(executor->run(mine));
      }));
    for (auto& one : all) one.get();
  };
  several(static_cast<int>(nodes));  // they come
  return trials / seconds_of([&] { several(trials); });
}

void scaling(os::ProcessRunner& runner) {
  std::vector<double> ratios;
  for (int round = 0; round < 3; ++round) {
    const double one = rate(runner, 1), two = rate(runner, 2);
    ratios.push_back(two / one);
    fmt::print("one node: {:.1f} a minute, two: {:.1f}, {:.2f} times as many\n", 60 * one, 60 * two, two / one);
  }
  fmt::print("in the median {:.2f} times as many\n", median(ratios));
}

}  // namespace

int main() {
  if (const std::string missing = executor::SlurmCluster::missing(); !missing.empty()) {
    fmt::print(stderr, "{}\n", missing);
    return 3;
  }
  ::setenv("HONE_WORKER", HONE_WORKER, 1);
  os::PosixProcessRunner runner;
  {
    const executor::SlurmCluster cluster;
    overhead(runner);
  }
  const executor::SlurmCluster cluster(2, executor::SlurmCluster::Nodes::apart);
  scaling(runner);
}
