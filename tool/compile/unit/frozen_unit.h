// A kernel's unit that needs nothing of the project any more.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "tool/compile/unit/called_objects.h"
#include "tool/compile/unit/header_tree.h"

namespace hone::compile {

// The unit after the preprocessor's directives were resolved, or of CUDA with the headers that they name; still cut in
// the same places.
struct FrozenUnit {
  std::string prologue, opening, closing_and_harness;
  std::size_t preamble = 0;  // the prologue's first bytes that can be compiled once for all variants (preamble.h)
  std::string definition;
  unsigned definition_line = 0;
  std::string file;
  std::string language = "c++";  // as -x says it; "c"
  bool whole_file = false;   // of the user's file as it is, and not cut to the kernel: it may need what is not there
  bool threaded = false;     // the kernel may have threads: its objects are built for ThreadSanitizer too
  HeaderTree headers;        // of CUDA
  bool may_allocate = true;  // on a device, in what a candidate may call (device_allocations.h)
  std::shared_ptr<const CalledObjects> called;  // linked beside it; null: nothing
  // `closing_and_harness` without the harness, for a __global__ kernel, whose objects have room for other device code
  // (host_half.h). nullopt for all others.
  std::optional<std::string> device_closing;
};

}  // namespace hone::compile
