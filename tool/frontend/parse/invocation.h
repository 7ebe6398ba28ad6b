// From a build system's compile command, written for g++ as often as for Clang, to the arguments Clang parses with.
//
// Launchers in front (ccache, `hone cc … --`) go, response files are read, outputs, dependency files, warnings and
// debug options are dropped, and so is every option that Clang's own table does not know: an unknown flag is never
// fatal. What gives the text its meaning stays (-I -D -std -march -f…). nvcc's line becomes one for Clang to read CUDA
// with (nvcc_line.h, cuda_dialect.h). Values; thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"

namespace hone::frontend {

// What the command says of CUDA devices.
struct CudaTarget {
  std::vector<std::string> architectures;  // "compute_90", "sm_90"; sorted
  std::vector<std::string> flags;          // that change what device code means; sorted
};

struct Invocation {
  std::vector<std::string>
      arguments;                   // for Clang's driver: program, mode, -resource-dir=…, options; the main file last
  std::string main_file;           // as the command spells it
  std::string directory;           // absolute
  std::optional<CudaTarget> cuda;  // the main file is CUDA
  std::map<std::string, std::string> headers;  // that Clang finds and the disk has not: absolute path → text
};

// Error: no compiler or no source file in the command, or a response file that cannot be read.
Result<Invocation> translate(const CompileCommand& command, const std::string& resource_dir);

// Index of the compiler in a command line: behind any launchers. arguments.size() when there is none.
std::size_t compiler_index(const std::vector<std::string>& arguments);

}  // namespace hone::frontend
