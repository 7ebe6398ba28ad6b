// How a kernel is searched for: the options of the command line over what hone_target() said of the target.
#pragma once

#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/model/defaults.h"
#include "tool/project/project.h"
#include "tool/project/tune_options.h"
#include "tool/search/knowledge/knowledge.h"
#include "tool/search/prompt/render.h"
#include "tool/search/strategy.h"

namespace hone::project {

struct Settings {
  search::Strategy strategy;
  std::string strategy_text;            // its JSON
  std::string proposer;                 // as named; "replay:FILE" for a recording
  llm::Settings models;                 // empty: no language model is asked
  std::optional<std::string> replayed;  // the recording's path
  std::vector<search::Note> notes;      // for prompts: the built-in ones with the user's own
  search::Templates templates;          // the user's own
  unsigned trials = default_trials;
  double budget_seconds = default_budget_seconds;
  unsigned jobs = 1;
};

// Error: a proposer, strategy or budget that does not exist, or a note or template that is none.
Result<Settings> settle(const TuneOptions& options, const TargetSettings& target);

// The same for looking at prompts: the strategy is one for language models, and none need be named. Error: the same.
Result<Settings> settle_for_prompts(const TuneOptions& options, const TargetSettings& target);

// Error: a proposer or a strategy that does not exist, with those that do; a model that is not named; two that do not
// go together.
Result<void> check(const TuneOptions& options, const TargetSettings& target = {});

// "90", "90s", "10m", "1h30m" in seconds.
Result<double> parse_duration(const std::string& text);
// The same for all kernels together. Error: also where it is too short for any of them.
Result<double> parse_total(const std::string& text);

}  // namespace hone::project
