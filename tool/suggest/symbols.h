// What stands in the source for each address of a profile, by addr2line: functions that were inlined, too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/process/process_runner.h"
#include "tool/suggest/profile.h"

namespace hone::suggest {

struct Frame {
  std::string function;  // as the linker knows it; "": not known
  std::string file;      // absolute, normal; "": the module has no line numbers there
  unsigned line = 0;
  bool operator==(const Frame&) const = default;
};

using Frames = std::map<Address, std::vector<Frame>>;  // innermost first

// Modules of the system (/usr/lib, /lib) are left out: nothing there is to be annotated. Error: no addr2line.
Result<Frames> find_frames(const Profile& profile, os::ProcessRunner& runner);

// "blur(float const*, int)" of "_Z4blurPKfi"; any other name as it is.
std::string readable(const std::string& function);

}  // namespace hone::suggest
