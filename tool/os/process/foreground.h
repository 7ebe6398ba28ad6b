// Runs a program of the user's as a shell would: stdin, stdout and stderr are the caller's, and Ctrl-C is the
// program's. Sets no limits and cleans nothing up. One at a time in a process.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tool/base/result.h"

namespace hone::os {

struct ProgramEnd {
  int code = 0;
  int signal = 0;      // that ended it
  double seconds = 0;  // of processor time, of its children too
};

// Error: the program cannot be started.
Result<ProgramEnd> run_in_foreground(const std::vector<std::string>& command,
                                     const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace hone::os
