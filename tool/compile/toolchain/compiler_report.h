// What a compiler says of its work on a candidate that compiles.
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/compile/toolchain/compile_process.h"
#include "tool/compile/toolchain/ptxas_report.h"

namespace hone::compile {

// Remarks on vectorization that name "candidate" and its lines, and the assembly with .loc lines. Of CUDA: what ptxas
// reports, what it says of each device function, and the machine code as cuobjdump prints it ("" where there is no
// cuobjdump).
struct Explanation {
  std::string remarks;
  std::string assembly;
  std::vector<DeviceFunction> functions;
};

// Explains unit.fatbin in a compile's folder; `report` is what ptxas said of it. Sandboxed.
Result<Explanation> explain_device_code(os::ProcessRunner& runner, const CompileSetup& setup, const std::string& folder,
                                        std::string report, std::stop_token stop);

}  // namespace hone::compile
