// What a runner finds around itself: its environment, and the wall. Pure.
#pragma once

#include <map>
#include <string>

#include "tool/judge/process/runner.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::judge {

std::map<std::string, std::string> environment_for(const RunnerOptions& options);
os::SandboxPolicy policy_for(const RunnerOptions& options);

}  // namespace hone::judge
