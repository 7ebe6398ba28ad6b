// What ptxas says of a function that it compiled for the device: what it takes of a multiprocessor, and what it spills.
//
// Read from the report that `nvcc -Xptxas -v` prints, one line each for registers and memory. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone::compile {

struct DeviceFunction {
  std::string name;          // as a person writes it: "step(float const*, float*, int)"
  std::string symbol;        // "_Z4stepPKfPfi"
  std::string architecture;  // "sm_90"
  unsigned registers = 0;    // a thread
  unsigned barriers = 0;
  std::size_t shared_bytes = 0;    // a block, without what the launch adds
  std::size_t constant_bytes = 0;  // all banks, parameters included
  std::size_t stack_bytes = 0;     // a thread; in local memory
  std::size_t spill_store_bytes = 0;
  std::size_t spill_load_bytes = 0;
  bool operator==(const DeviceFunction&) const = default;
};

// Kernels only: what they call has no registers of its own.
std::vector<DeviceFunction> read_ptxas_report(std::string_view report);

// A symbol in the C++ words that it stands for; what is no symbol comes back as it is.
std::string demangled(const std::string& symbol);

}  // namespace hone::compile
