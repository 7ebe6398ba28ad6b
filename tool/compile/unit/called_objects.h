// What a kernel calls in other sources of the project (CalledUnit), compiled once with those sources' own commands.
//
// It is the project's code, so it is compiled as the project compiles it, outside of the sandbox.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/model/kernel_spec.h"
#include "tool/os/process/process_runner.h"

namespace hone::compile {

// Relocatable objects, by the flags that they were compiled with beside their own.
struct CalledObjects {
  std::vector<std::string> plain, sanitized, race_checked;
};

struct CalledFlags {
  std::vector<std::string> sanitized, race_checked;  // empty: not wanted
  bool clang = false;  // whose runtimes the flags are for: what another compiler compiles goes without
};

// nullptr: there are no units. Error: one does not compile, with the compiler's words, or `stop` was requested.
Result<std::shared_ptr<const CalledObjects>> compile_called(os::ProcessRunner& runner,
                                                            const std::vector<CalledUnit>& units,
                                                            const CalledFlags& flags, std::stop_token stop = {});

}  // namespace hone::compile
