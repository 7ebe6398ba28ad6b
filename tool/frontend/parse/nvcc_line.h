// nvcc's command line, in the words of the C++ compiler that it drives, and what it says of the device.
//
// nvcc's options are those of command/nvcc_options.h; lists have commas, -Xcompiler hands words on, --options-file
// reads more of them. What nvcc does not know goes to the host compiler, as here. Pure but for the files of options.
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"

namespace hone::frontend {

struct NvccLine {
  std::vector<std::string> arguments;      // without the program, for a compiler like g++
  std::string host_compiler = "g++";       // -ccbin
  std::string language;                    // -x: "cu", "c++"; "": by the file's name
  std::vector<std::string> architectures;  // "compute_90", "sm_90": code that the object will hold; sorted
  std::vector<std::string> flags;          // that change what device code means: "fmad=false"; sorted
};

// `arguments`: behind the program. Relative files of options lie under `directory`; one that cannot be read is an
// error.
Result<NvccLine> read_nvcc_line(const std::vector<std::string>& arguments, const std::string& directory);

}  // namespace hone::frontend
