// What the command line asks of a tuning run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tool/frontend/parse/clang_options.h"
#include "tool/llm/settings/model_settings.h"

namespace hone::project {

struct TuneOptions {
  std::filesystem::path build;               // journals go to <build>/hone/runs
  std::string executor = "local";            // executor::Source
  std::string proposer;                      // "": what hone_target() said
  std::string strategy;                      // a preset or a .json file; "": what hone_target() said
  std::optional<unsigned> trials;            // per kernel; absent: what hone_target() said
  std::optional<double> budget_seconds;      // per kernel; absent: what hone_target() said
  std::optional<double> total_seconds;       // of all kernels together; absent: each has its own budget alone
  llm::Overrides model;                      // of a language model; over environment and hone.json
  std::optional<std::uint64_t> most_tokens;  // for each kernel, in and out together
  std::optional<double> most_cost;           // for each kernel, in the currency of the prices
  double until = 0;                          // the share of the machine's limit that is enough; 0: none is
  double least_gain = 0;  // the search ends where a further trial is expected to gain less; 0: it does not
  std::uint64_t seed = 1;
  unsigned jobs = 0;           // compiles at once; 0: one less than there are cores
  unsigned at_once = 0;        // bundles with the executor at once; 0: as many as suit the kernel and the executor
  unsigned side_by_side = 1;   // kernels that are searched at once
  std::optional<bool> resume;  // go on from the journal of a run with the same key and seed; absent: of one that ended
                               // before its time
  bool force = false;          // search even where the result is known
  bool memory = true;          // what other kernels taught is used, what this one teaches is kept
  frontend::Options frontend;
};

}  // namespace hone::project
