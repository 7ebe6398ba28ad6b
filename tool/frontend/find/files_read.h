// find_kernels() with all that its answer rests on: each file that Clang read, and each that it looked for in vain, so
// that the answer can be kept until one of them changes (tool/project/unit_stamp.h).
#pragma once

#include <string>
#include <vector>

#include "tool/frontend/find/kernel_finder.h"

namespace hone::frontend {

struct FileRead {
  std::string path;    // absolute
  std::string digest;  // SHA-256 of the text as Clang read it
};

struct KernelsAndFiles {
  FoundKernels found;
  std::string files;                   // SHA-256: the user's files by their content, system headers by size and time
  std::vector<FileRead> read;          // each once; the main file is among them
  std::vector<std::string> absent;     // absolute
  bool looked_elsewhere = false;       // for definitions in other sources: the answer rests on their commands, too
  bool incomplete = false;             // a definition was not found: any source may yet bring it
  std::vector<std::string> elsewhere;  // of `read`, what the kernel's own unit does not read
};

Result<KernelsAndFiles> find_kernels_and_files(const CompileCommand& command, const Options& options);

}  // namespace hone::frontend
