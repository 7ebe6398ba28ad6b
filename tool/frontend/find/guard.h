// What stands in front of a variant that may rely on fixed scalars: one question, whether they have the values of one
// of the problems. Where they have not, the original runs.
//
// The answer is a function of its own in front of the variant, so that the clause's expressions are read as they are in
// the pragma: with the names that stand above the kernel, and no others. Pure.
#pragma once

#include <string>

#include "tool/frontend/describe/description.h"
#include "tool/frontend/describe/placement.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// "" or why the kernel's variants cannot stand behind one: "it is a __global__ kernel". `entrance`: the kernel's.
std::string why_no_guard(const clang::FunctionDecl& function, const Entrance& entrance);

// The guard of a kernel with fixed scalars. `spec` must have its key.
Guard guard_of(const clang::FunctionDecl& function, const Description& description, const KernelSpec& spec);

}  // namespace hone::frontend
