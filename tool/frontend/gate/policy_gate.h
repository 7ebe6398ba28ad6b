// May this text be a candidate? Clang answers before anything is compiled.
#pragma once

#include <memory>
#include <string>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// Clang's look at a candidate before it is compiled: parses, defines exactly the kernel, refers to nothing forbidden.
// Returns "" or the reason (with <candidate>:line).
std::string gate(const KernelSpec& spec, const std::string& candidate, const CompileCommand& command,
                 const Options& options);

// A gate for many candidates of one kernel. What stands in front of the kernel is parsed once. One thread at a time.
class Gate {
 public:
  static Result<Gate> open(const KernelSpec& spec, const CompileCommand& command, const Options& options);
  Gate(Gate&&) noexcept;
  Gate& operator=(Gate&&) noexcept;
  ~Gate();
  std::string check(const std::string& candidate);  // "" or the reason
  // The same, and its code behind it: "<candidate>:3: … [hone-candidate-use]".
  std::string objection(const std::string& candidate);

 private:
  struct State;
  explicit Gate(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace hone::frontend
