// Makes the mutants of a candidate: every place of its functions, every mistake that is listed for such a place.
#pragma once

#include <string>
#include <vector>

#include "tests/mutation/mutant.h"
#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/model/kernel_spec.h"

namespace hone::mutation {

// In the order of the text; the same for the same text. Error: Clang cannot parse the candidate in the kernel's unit.
Result<std::vector<Mutant>> mutants_of(const std::string& candidate, const KernelSpec& spec,
                                       const CompileCommand& command);

// The original as a candidate: with the functions that it calls, under names of their own, so that these are mutated,
// too.
Result<std::string> original_as_candidate(const KernelSpec& spec, const CompileCommand& command);

}  // namespace hone::mutation
