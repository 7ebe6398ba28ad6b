// What a CUDA version was compiled to, as text for prompts: what its kernels take of a multiprocessor, and what their
// instructions are. Counts are of the code as it stands, not of what runs. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/compile/toolchain/ptxas_report.h"

namespace hone::tune {

// "- step(float const*, float*, int) on sm_90: 24 registers a thread, 1024 bytes of shared memory a block, no spills".
// At most `most` lines.
std::string device_resources(const std::vector<compile::DeviceFunction>& functions, std::size_t most = 8);

// A line for each function of what `cuobjdump -sass` prints: "- step(…) on sm_90: 48 instructions, 1 loop:
// global loads 2 (1 of 128 bits), …". At most `most`.
std::string instruction_mix(std::string_view machine_code, std::size_t most = 8);

}  // namespace hone::tune
