// The harness of a C kernel (harness.h): the same functions, in C89, so that every unit of C can hold it.
//
// C has no decltype, no templates and no references. So types are spelled as Clang knows them, a pointer is passed on
// as void*, and hone_store() takes a long double, which holds every integer of 64 bits and every double. It has no
// comments of its own and no declarations behind statements. Pure.
#pragma once

#include <string>

#include "tool/frontend/describe/description.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

std::string c_harness_text(const clang::FunctionDecl& kernel, const Description& description, const KernelSpec& spec,
                           const std::string& file);

// `const double hone_constant_<i>` for each pending constant; for Clang alone.
std::string c_constants_text(const Description& description, const std::string& file);

// harness.h
std::string with_narrow_c_scalars(std::string harness, const std::vector<unsigned>& narrow);

}  // namespace hone::frontend
