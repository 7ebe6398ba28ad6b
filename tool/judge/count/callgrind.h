// callgrind: how it is called around a runner, and what it wrote down. Where a machine has no PMU (most virtual ones),
// its simulated caches and branches stand in for one. Pure, but for looking for the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/execution_counts.h"

namespace hone::judge {

// On PATH; nullopt: valgrind is not installed.
std::optional<std::string> find_valgrind();

// What stands in front of the runner. The counts of hone_call() go to kCallgrindFile in $TMPDIR.
std::vector<std::string> callgrind_command(const std::string& valgrind);
inline constexpr const char* kCallgrindFile = "callgrind.out";

// Of the file: the sum of what was counted, and the lines of the file named "candidate". nullopt: nothing was counted,
// or the text is not callgrind's. The problem is left to the caller.
std::optional<ExecutionCounts> read_callgrind(std::string_view text);

}  // namespace hone::judge
