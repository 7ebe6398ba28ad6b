// Has candidates of one kernel compared with its original by hone-prove, in the sandbox.
//
// Clang makes the IR of both, from the unit as it preprocesses it; nothing is optimized, so that nothing is taken out
// of what is undefined. Best effort: where Clang, hone-prove, time or a word for what a kernel does is missing, the
// proof says so. Of kernels of one thread on processors. Thread-safe; borrows all.
#pragma once

#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "tool/bundle/proof.h"
#include "tool/command/compile_command.h"
#include "tool/compile/compiler.h"
#include "tool/model/kernel_spec.h"
#include "tool/os/process/process_runner.h"

namespace hone::tune {

class Prover {
 public:
  // `command`: the project's.
  Prover(os::ProcessRunner& runner, const KernelSpec& spec, const CompileCommand& command);

  // `seconds`: of comparing; the compiles come on top.
  bundle::Proof prove(const std::string& source, double seconds, std::stop_token stop = {});

 private:
  std::string prepare(std::stop_token stop);  // "", or why nothing can be proved
  Result<bundle::Proof> compare(const std::string& candidate, double seconds, std::stop_token stop);

  os::ProcessRunner& runner_;
  const KernelSpec& spec_;
  std::mutex preparing_;
  std::optional<std::string> why_not_;  // of prepare(), once it was done
  std::string program_;
  std::optional<compile::Compiler> clang_;
  compile::FrozenUnit unit_;
  std::string original_;  // bitcode
  CompileCommand command_;
};

}  // namespace hone::tune
