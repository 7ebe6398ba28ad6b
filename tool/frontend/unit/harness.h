// The text behind a unit that makes the kernel callable through void*: hone_call, hone_problem, hone_evaluate
// (runner/abi.h).
//
// Types are taken from the function itself, never spelled where that can be avoided. Each clause expression is compiled
// inside the kernel's own namespaces, at the line and column of the pragma. Includes nothing; every name starts with
// hone_. C++11 and later, clean under -Wall -Wextra. For a kernel on a device it has a fourth function,
// hone_device_error, and launches a __global__ kernel as the annotation says. Pure.
#pragma once

#include <string>

#include "tool/frontend/describe/description.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// `file` as #line should say it.
std::string harness_text(const clang::FunctionDecl& kernel, const Description& description, const KernelSpec& spec,
                         const std::string& file);

// `constexpr double hone_constant_<i>` for each pending constant, in the kernel's namespaces; for Clang alone.
std::string constants_text(const clang::FunctionDecl& kernel, const Description& description, const std::string& file);

// The harness for a kernel whose float parameters became double. A problem still rounds a scalar that is float in
// `original` to float, so both kernels get one value.
std::string with_narrow_scalars(std::string harness, const KernelSpec& original);

// What #line calls the harness's own lines.
inline constexpr const char* kHarnessFile = "<hone harness>";

}  // namespace hone::frontend
