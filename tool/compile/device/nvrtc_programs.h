// What compiling with NVRTC takes: our own program, the toolkit's library, and the toolkit's packer of images.
#pragma once

#include <filesystem>
#include <string>

#include "tool/compile/toolchain/toolchain.h"

namespace hone::compile {

// The folder of the toolkit that nvcc is of.
std::filesystem::path toolkit_of(const Toolchain& nvcc);

struct NvrtcPrograms {
  std::string program, library, fatbinary;  // absolute; "": it is not there
  bool complete() const { return !program.empty() && !library.empty() && !fatbinary.empty(); }
};

// hone-nvrtc beside this program, as it is built and installed, or where HONE_NVRTC says (empty: none); the rest in the
// toolkit that `nvcc` is of. The library may lack the link that compilers look for.
NvrtcPrograms find_nvrtc(const Toolchain& nvcc);

}  // namespace hone::compile
