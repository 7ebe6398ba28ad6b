// The prompts of searches with a language model, to be looked at: nothing is sent to anybody, nothing is written.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/process/process_runner.h"
#include "tool/project/kernels.h"
#include "tool/project/tune_options.h"
#include "tool/search/brief.h"
#include "tool/tune/model/run_header.h"

namespace hone::tune {

struct Preview {
  std::string strategy;
  std::string operator_name;
  std::vector<search::PromptMessage> prompt;
};

// Whether first_prompt() can show it. Error: as settle_for_prompts() and preview() (tool/search/preview.h).
Result<void> check_first_prompt(const project::TuneOptions& options, const project::TargetSettings& target,
                                const std::string& operator_name);

// What a search that begins now would send first; `operator_name`: what that operator would show of the original ("":
// whichever comes first). The original is timed for it, unless it is CUDA's and there is no device. Where the strategy
// starts from the built-in proposer's best, that is not there.
Result<Preview> first_prompt(const project::ProjectKernel& kernel, const project::TuneOptions& options,
                             const std::string& operator_name, os::ProcessRunner& runner, const Note& note,
                             std::stop_token stop);

// What the recorded run would send next if it were resumed, or what that operator would show of its trials.
Result<Preview> next_prompt(const project::ProjectKernel& kernel, const Recording& recording,
                            const std::string& operator_name);

}  // namespace hone::tune
