// A compiler's process: what it is told of the project, and the sandbox that it reads generated code in.
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>

#include "tool/base/result.h"
#include "tool/command/compile_flags.h"
#include "tool/compile/toolchain/toolchain.h"
#include "tool/os/process/process_runner.h"

namespace hone::compile {

// What one object's compile may use.
struct CompileLimits {
  std::chrono::seconds time{60};                    // of a processor, for each process
  std::size_t memory_bytes = std::size_t{3} << 30;  // per process: an #include of an endless file stops there; nvcc's
                                                    // have twice as much
};

struct CompileSetup {
  CompileFlags flags;
  Toolchain toolchain;
  std::string sandbox;  // the level's name
  CompileLimits limits;
};

// `program` in `folder`, which is all that it may write; it reads the toolchain and the system's folders.
os::Process compile_process(const CompileSetup& setup, const std::string& program, const std::string& folder,
                            std::stop_token stop);

// Whether the compiler was ended for CompileLimits::time, of a processor or of a multiple by the clock.
bool ran_out_of_time(const os::Exit& exit, const CompileLimits& limits);

// The object that a compile left. The folder belonged to the sandbox: a link there would lead to what only we may read.
Result<std::string> read_object(const std::string& path);

}  // namespace hone::compile
