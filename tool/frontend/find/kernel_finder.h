// From a compile command to the annotated kernels of its main file and of the project's headers in it.
//
// The only process that it starts is the compiler's own answer about where its headers are (parse/gcc_installation.h);
// it never compiles and never touches the network. Functions share no state; one call parses one translation unit on
// the calling thread.
#pragma once

#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/describe/diagnostic.h"
#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/frontend/parse/main_text.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

struct FoundKernel {
  KernelSpec spec;
  Placement placement;
  LaunchSites launches;  // of a __global__ kernel whose variants may bring their own
  Entrance entrance;     // of a kernel that works on a device, or has fixed scalars
  Guard guard;           // of a kernel with fixed scalars
  Recording recording;   // where Options::recording asks for it
};

struct FoundKernels {
  MainText file;  // in which the placements are
  std::vector<FoundKernel> kernels;
  std::vector<Diagnostic> diagnostics;  // of annotations
};

// Parses the translation unit and describes each annotated kernel in its main file and in the project's headers that it
// includes. Those in headers that the command line includes (-include, a precompiled header) each get a warning. Error:
// Clang cannot parse it (the first compiler error is in `what`), or the file or command is unusable.
Result<FoundKernels> find_kernels(const CompileCommand& command, const Options& options);

}  // namespace hone::frontend
