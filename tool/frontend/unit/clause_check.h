// Does Clang compile a kernel's unit with the harness that its clauses became?
#pragma once

#include <vector>

#include "tool/command/compile_command.h"
#include "tool/frontend/describe/diagnostic.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// Checks the clause expressions by letting Clang compile the unit with its harness; the diagnostics stand at the
// pragma.
std::vector<Diagnostic> check_unit(const KernelSpec& spec, const CompileCommand& command, const Options& options);

}  // namespace hone::frontend
