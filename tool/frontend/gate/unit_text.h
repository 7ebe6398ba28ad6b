// A kernel's unit with a candidate in the kernel's place, as the gate parses it. Pure.
#pragma once

#include <string>

#include "tool/model/candidate.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// What gcc has and Clang has not, in the kernel's language.
const char* of_gcc(const KernelIdentity& kernel);

// `split`'s lines stand in kCandidateFile.
std::string with_definition(const KernelSpec& kernel, const SplitSource& split);

}  // namespace hone::frontend
