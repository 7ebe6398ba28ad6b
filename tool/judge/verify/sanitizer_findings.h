// What compute-sanitizer's tools have against a candidate and not against the original, which is watched in the same
// way where they have something. Decides; runs nothing itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/judge/verify/sanitizer_run.h"

namespace hone::judge {

enum class SanitizedObject { original, candidate };

// Runs the tools on one of the two, as run_sanitizers() does.
using RunSanitizers =
    std::function<Result<std::vector<SanitizerRun>>(SanitizedObject, const std::vector<std::string>& tools)>;

struct SanitizerFindings {
  std::string reason;     // a sentence; "": nothing speaks against it
  std::string report;     // the tool's own words
  std::string unwatched;  // which tools could not look, and why
};

Result<SanitizerFindings> find_in_original(const RunSanitizers& watch, const std::vector<std::string>& tools);
Result<SanitizerFindings> find_in_candidate(const RunSanitizers& watch, const std::vector<std::string>& tools);

}  // namespace hone::judge
