// Whether Clang finds its way in what a compiler here compiles: with its own headers, and those of the compiler.
//
// Where it does not, every kernel of that compiler stays as it is written, and nothing else shows it.
#pragma once

#include <string>
#include <vector>

#include "tool/cli/doctor_finding.h"

namespace hone::cli {

// `compilers`: those of C++ that run here. One whose headers Clang does not find is a problem, unless it cannot find
// them itself. `nvcc`: "" without one.
std::vector<DoctorFinding> find_parses(const std::vector<std::string>& compilers, const std::string& nvcc);

}  // namespace hone::cli
