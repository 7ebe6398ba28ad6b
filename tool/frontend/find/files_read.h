// find_kernels() with a digest of every file that Clang read for it, so that another answer about the same command can
// be kept until one of them changes.
//
// The user's files count by their content, system headers by name, size and time.
#pragma once

#include <string>

#include "tool/frontend/find/kernel_finder.h"

namespace hone::frontend {

struct KernelsAndFiles {
  FoundKernels found;
  std::string files;  // SHA-256
};

Result<KernelsAndFiles> find_kernels_and_files(const CompileCommand& command, const Options& options);

}  // namespace hone::frontend
