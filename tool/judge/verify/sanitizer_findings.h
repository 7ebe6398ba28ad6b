// What compute-sanitizer's tools have against a candidate and not against the original, which is watched in the same
// way where they have something. Decides; runs nothing itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/judge/verify/sanitizer_run.h"

namespace hone::judge {

enum class Watched { original, candidate };

// Runs the tools on one of the two, as watch_on_device() does.
using WatchOnDevice = std::function<Result<std::vector<DeviceWatch>>(Watched, const std::vector<std::string>& tools)>;

struct DeviceFindings {
  std::string reason;     // a sentence; "": nothing speaks against it
  std::string report;     // the tool's own words
  std::string unwatched;  // which tools could not look, and why
};

Result<DeviceFindings> find_in_original(const WatchOnDevice& watch, const std::vector<std::string>& tools);
Result<DeviceFindings> find_in_candidate(const WatchOnDevice& watch, const std::vector<std::string>& tools);

}  // namespace hone::judge
