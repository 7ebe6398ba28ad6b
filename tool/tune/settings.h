// How a kernel is searched for: the options of the command line over what hone_target() said of the target.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/search/strategy.h"
#include "tool/tune/project.h"
#include "tool/tune/tuner.h"

namespace hone::tune {

struct Settings {
  search::Strategy strategy;
  std::string proposer;
  unsigned trials = 45;
  double budget_seconds = 600;
  unsigned jobs = 1;
};

// Error: a proposer, strategy or budget that does not exist.
Result<Settings> settle(const TuneOptions& options, const TargetSettings& target);

}  // namespace hone::tune
