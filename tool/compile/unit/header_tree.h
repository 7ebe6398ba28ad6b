// The user's own headers of a CUDA unit, as files to be laid beside it.
//
// A unit of C++ is frozen by the preprocessor. One of CUDA cannot be: nvcc preprocesses it once for the host and once
// for each architecture, with other macros each time. So the headers themselves are frozen: everything that the
// kernel's translation unit includes and that the sandbox does not show anyway is read once and put, for each compile,
// under a tree that mirrors where it came from. Includes by an absolute path are not found there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/command/compile_flags.h"
#include "tool/compile/toolchain/toolchain.h"
#include "tool/os/process/process_runner.h"

namespace hone::compile {

struct HeaderTree {
  struct Header {
    std::string path;  // in a compile's folder
    std::string text;  // begins with a line directive that names the original
  };
  std::vector<Header> headers;
  std::vector<HeaderFlag> flags;  // that look for them there, from the compile's folder
  std::string unit;               // where the unit is to stand, so that it finds what its source has beside itself
};

// Asks nvcc what the command's source includes. Error: it cannot say, or a header cannot be read.
Result<HeaderTree> collect_headers(os::ProcessRunner& runner, const CompileCommand& command, const CompileFlags& flags,
                                   const Toolchain& toolchain);

// Error: it cannot be written there.
Result<void> write_headers(const HeaderTree& tree, const std::filesystem::path& folder);

}  // namespace hone::compile
