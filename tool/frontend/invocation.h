// From a build system's compile command, written for g++ as often as for Clang, to the arguments Clang parses with.
//
// Launchers in front (ccache, `hone cc … --`) go, response files are read, outputs, dependency files, warnings and
// debug options are dropped, and so is every option that Clang's own table does not know: an unknown flag is never
// fatal. What gives the text its meaning stays (-I -D -std -march -f…). Values; thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/model/compile_command.h"

namespace hone::frontend {

struct Invocation {
  std::vector<std::string>
      arguments;          // for Clang's driver: program, mode, -resource-dir=…, options; the main file last
  std::string main_file;  // as the command spells it
  std::string directory;  // absolute
};

// Error: no compiler or no source file in the command, or a response file that cannot be read.
Result<Invocation> translate(const CompileCommand& command, const std::string& resource_dir);

// Index of the compiler in a command line: behind any launchers. arguments.size() when there is none.
std::size_t compiler_index(const std::vector<std::string>& arguments);

}  // namespace hone::frontend
