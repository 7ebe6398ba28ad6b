// What one compiler is: its name, the folders that its parts live in, the fastest linker it can use, its sanitizer's
// runtime. Found by asking it, trusted, once.
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/process/process_runner.h"

namespace hone::compile {

struct Toolchain {
  std::string program;   // absolute
  std::string identity;  // first line of --version; "nvcc 13.0.88 with g++ (Debian 12.2.0-14) 12.2.0"
  bool clang = false;
  bool x86 = false;  // what it compiles for
  bool nvcc = false;
  std::string host;                          // nvcc's host compiler, absolute
  std::vector<std::string> folders;          // to be readable in the sandbox, beside the system's
  std::vector<std::string> linker;           // flags
  std::vector<std::string> libraries;        // flags behind what is linked
  std::vector<std::string> library_folders;  // of shared libraries that are not in the system's
  std::string sanitizer_runtime;             // libasan.so or clang's, absolute; "": not installed
  std::string race_runtime;                  // libtsan.so or clang's, in the same way
};

// `flags`: the project's, which may choose another target, sysroot or standard library. `language`: "c" or "c++", of
// the sources that they are for. `libraries`: what the program links (library_words.h); what is not found is left out.
// Error: no such compiler, or it does not answer.
Result<Toolchain> ask_toolchain(os::ProcessRunner& runner, const std::string& compiler,
                                const std::vector<std::string>& flags, const std::string& directory,
                                const std::string& language = "c++", const std::vector<std::string>& libraries = {});

// The same of nvcc. `host`: what -ccbin names, a compiler or its folder; "": the one on PATH. No sanitizers: CUDA has
// its own, and no linker but the usual one.
Result<Toolchain> ask_nvcc(os::ProcessRunner& runner, const std::string& nvcc, const std::string& host,
                           const std::string& directory);

}  // namespace hone::compile
