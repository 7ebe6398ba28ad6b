// NVIDIA's run-time compiler as a table of functions, found when the program runs: neither its header nor its library
// is needed to build Hone. What the calls mean: "NVRTC", nvrtc.h of CUDA 12 and later, whose C names are stable.
#pragma once

#include <cstddef>
#include <string>

namespace hone::nvrtc {

using Program = struct OpaqueProgram*;

struct Library {
  int (*create)(Program*, const char* source, const char* name, int headers, const char* const*, const char* const*);
  int (*destroy)(Program*);
  int (*compile)(Program, int options, const char* const*);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  int (*cubin_size)(Program, std::size_t*);
  int (*cubin)(Program, char*);
  int (*ptx_size)(Program, std::size_t*);
  int (*ptx)(Program, char*);
  const char* (*words)(int result);
};

// "", or why it cannot be used. `path`: of libnvrtc.so; its built-in functions are taken from the same folder.
std::string load(const std::string& path, Library& library);

}  // namespace hone::nvrtc
