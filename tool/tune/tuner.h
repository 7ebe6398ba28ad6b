// The tuning pass: from an annotated kernel to a verified, faster variant in the store and the lock file.
//
// A Tuner tunes one kernel after the other. Whatever stops it (budget, stop token, SIGKILL) the lock file and the store
// are whole, and the journal under <build>/hone/runs holds every verdict reached, so that a resumed run judges nothing
// again. It writes the journal, the user's store, the project's store (`hone/` beside the lock file) and the lock file;
// never a source file. Not thread-safe; starts threads of its own, all joined before a call returns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/frontend/frontend.h"
#include "tool/llm/settings.h"
#include "tool/os/process/process_runner.h"
#include "tool/report/progress.h"
#include "tool/project/project.h"

namespace hone::tune {

struct TuneOptions {
  std::filesystem::path build;               // journals go to <build>/hone/runs
  std::string executor = "local";            // evaluate::make_executor
  std::string proposer;                      // "": what hone_target() said
  std::string strategy;                      // a preset or a .json file; "": what hone_target() said
  std::optional<unsigned> trials;            // per kernel; absent: what hone_target() said
  std::optional<double> budget_seconds;      // per kernel; absent: what hone_target() said
  llm::Overrides model;                      // of a language model; over environment and hone.json
  std::optional<std::uint64_t> most_tokens;  // for each kernel, in and out together
  std::optional<double> most_cost;           // for each kernel, in the currency of the prices
  std::uint64_t seed = 1;
  unsigned jobs = 0;     // compiles at once; 0: one less than there are cores
  unsigned at_once = 0;  // bundles with the executor at once; 0: as many as suit the kernel and the executor
  bool resume = false;   // replay the journal of an earlier run with the same key and seed
  bool force = false;    // search even where the result is known
  bool memory = true;    // what other kernels taught is used, what this one teaches is kept
  frontend::Options frontend;
};

class Tuner {
 public:
  Tuner(TuneOptions options, os::ProcessRunner& runner, report::Progress& progress);

  // Error: nothing about the kernel could be decided because the environment failed. A kernel that is refused, or that
  // stays as it was, is a KernelResult.
  Result<report::KernelResult> tune(const ProjectUnit& unit, const KernelSpec& spec, std::stop_token stop = {});

 private:
  TuneOptions options_;
  os::ProcessRunner& runner_;
  report::Progress& progress_;
};

// HONE_MODE=tune: tunes every kernel of a unit whose key neither the lock file nor the store knows, before the unit is
// compiled. Resumes an interrupted run. Error: the environment failed; the original can still be compiled.
Result<void> tune_unit(const ProjectUnit& unit, const TuneOptions& options, report::Progress& progress,
                       std::stop_token stop = {});

// The same with plain lines on stderr.
Result<void> tune_unit(const ProjectUnit& unit, const std::filesystem::path& build);

// Error: a proposer or a strategy that does not exist, with those that do; a model that is not named; two that do not
// go together.
Result<void> check(const TuneOptions& options, const TargetSettings& target = {});

// "90", "90s", "10m", "1h30m" in seconds.
Result<double> parse_duration(const std::string& text);

}  // namespace hone::tune
