// What prompts say of a kernel and of the machine it is judged on, gathered from the spec, the compiler and the system.
#pragma once

#include <string>

#include "tool/command/compile_command.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/verdict.h"
#include "tool/search/brief.h"

namespace hone::tune {

// `original`: the original timed against itself, for its seconds on each problem.
search::TaskFacts gather_facts(const KernelSpec& spec, const CompileCommand& command, const std::string& compiler,
                               const Measurement& original);

// The annotation's problems without figures, for where nobody can time the original.
Measurement untimed(const KernelSpec& spec);

// Caches and processor of this machine, and the vector registers that `target` (KernelIdentity::target) gives.
search::Hardware gather_hardware(const std::string& target, unsigned threads);

}  // namespace hone::tune
