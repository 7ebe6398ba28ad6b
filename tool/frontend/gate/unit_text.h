// A kernel's unit with a candidate in the kernel's place, as the gate parses it. Pure.
#pragma once

#include <string>

#include "tool/model/candidate.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// What gcc has and Clang has not, as C++.
extern const char* const kOfGcc;

// `split`'s lines stand in kCandidateFile.
std::string with_definition(const KernelUnit& unit, const SplitSource& split);

}  // namespace hone::frontend
