#include "tool/cli/tuned_kernels.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "tool/report/terminal.h"
#include "tool/tune/budget/shared_budget.h"

namespace hone::cli {
namespace {

using Kernels = std::vector<project::ProjectKernel>;
using Found = std::vector<std::optional<report::KernelResult>>;

report::KernelResult failed(const KernelSpec& spec, const Error& error) {
  report::KernelResult result;
  result.name = spec.name;
  result.file = spec.file;
  result.line = spec.line;
  result.key = spec.key;
  result.message = error.message();
  return result;
}

// One run over all kernels.
class Run {
 public:
  Run(const Kernels& kernels, const project::TuneOptions& options, tune::Tuner& tuner, Watch& watch,
      const Interrupt& interrupt)
      : kernels_(kernels),
        options_(options),
        tuner_(tuner),
        watch_(watch),
        interrupt_(interrupt),
        found_(kernels.size()) {}

  std::vector<report::KernelResult> run() {
    if (options_.total_seconds)
      share();
    else
      in_turn(options_.side_by_side);
    std::vector<report::KernelResult> results;
    for (auto& result : found_)
      if (result) results.push_back(std::move(*result));
    return results;
  }

 private:
  void tune_one(std::size_t kernel, tune::Slice* slice) {
    const auto& [unit, spec, whole] = kernels_[kernel];
    report::Progress& progress = watch_.kernel(kernel);
    auto result = tuner_.tune(unit, spec, progress, interrupt_.token(), slice);
    found_[kernel] = result ? std::move(*result) : failed(spec, result.error());
    if (!result) progress.end(*found_[kernel]);
  }

  // As many threads take the next kernel each.
  void in_turn(unsigned lanes) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t at = next++; at < kernels_.size() && !interrupt_.happened(); at = next++) tune_one(at, nullptr);
    };
    if (lanes <= 1) return work();
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min<std::size_t>(lanes, kernels_.size()); ++i) threads.emplace_back(work);
  }

  // What is known needs no time, and takes no part in the sharing of it.
  void share() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < kernels_.size() && !interrupt_.happened(); ++i) {
      if (options_.force || !tune::is_known(kernels_[i].unit, kernels_[i].spec))
        open.push_back(i);
      else
        tune_one(i, nullptr);
    }
    if (open.empty()) return;
    for (const std::size_t kernel : open) watch_.wait(kernel, true);
    const tune::SharedBudget budget{.seconds = *options_.total_seconds,
                                    .weights = std::vector<double>(open.size(), 1.0),
                                    .lanes = options_.side_by_side};
    tune::tune_within(
        budget, [&](std::size_t at, tune::Slice& slice) { tune_one(open[at], &slice); },
        [&](std::size_t at, bool is_served) { watch_.wait(open[at], !is_served); }, interrupt_.token());
  }

  const Kernels& kernels_;
  const project::TuneOptions& options_;
  tune::Tuner& tuner_;
  Watch& watch_;
  const Interrupt& interrupt_;
  Found found_;
};

std::vector<std::string> names_of(const Kernels& kernels) {
  std::vector<std::string> names;
  for (const project::ProjectKernel& kernel : kernels) names.push_back(kernel.spec.name);
  return names;
}

}  // namespace

Watch::Watch(const Kernels& kernels, const project::TuneOptions& options, Interrupt& interrupt) {
  if (report::can_redraw(stderr) && !kernels.empty()) {
    board_.emplace(stderr, names_of(kernels),
                   report::Board::Options{.color = report::wants_color(),
                                          .seconds = options.total_seconds.value_or(report::unknown_time),
                                          .stop = interrupt.token()},
                   clock_);
    around_stop_.emplace(
        interrupt, [this] { board_->pause(); }, [this] { board_->resume(); });
    return;
  }
  const bool several = kernels.size() > 1 && (options.side_by_side > 1 || options.total_seconds);
  for (const project::ProjectKernel& kernel : kernels)
    consoles_.emplace_back(stderr, report::Console::Options{.prefix = several ? kernel.spec.name + ": " : ""});
}

report::Progress& Watch::kernel(std::size_t index) {
  return board_ ? board_->kernel(index) : consoles_.at(index);
}

void Watch::note(const std::string& line) {
  if (board_)
    board_->note(line);
  else
    fmt::print(stderr, "  {}\n", line);
}

void Watch::wait(std::size_t kernel, bool waits) {
  if (board_) board_->wait(kernel, waits);
}

std::vector<report::KernelResult> tune_kernels(const Kernels& kernels, const project::TuneOptions& options,
                                               tune::Tuner& tuner, Watch& watch, const Interrupt& interrupt) {
  return Run(kernels, options, tuner, watch, interrupt).run();
}

}  // namespace hone::cli
