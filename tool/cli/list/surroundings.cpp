#include "tool/cli/list/surroundings.h"

#include "tool/command/compile_flags.h"
#include "tool/compile/compiler.h"
#include "tool/cuda/device_count.h"
#include "tool/lock/judged_on.h"
#include "tool/os/process/process_runner.h"

namespace hone::cli {

lock::Surroundings ThisMachine::around(const project::ProjectKernel& kernel) {
  const CompileCommand& command = kernel.unit.command;
  const auto flags = split_flags(command);
  const std::string name =
      flags ? flags->compiler + '\n' + flags->host_compiler + '\n' + command.directory : command.file;
  auto known = compilers_.find(name);
  if (known == compilers_.end()) {
    os::PosixProcessRunner runner;
    known = compilers_.emplace(name, compile::Compiler(runner, command).identity()).first;
  }
  const bool has_device = !kernel.spec.cuda || cuda::cuda_devices().has_value();
  return {known->second, has_device ? lock::device_name(kernel.spec, true) : ""};
}

}  // namespace hone::cli
