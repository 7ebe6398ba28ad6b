// The language of a kernel's source. Pure.
#pragma once

#include <string_view>

#include "tool/model/kernel_spec.h"

namespace hone {

// Whether a name of a language ("gnu17", "c++17", "cuda c++17") is C's, and C89's.
bool is_c_name(std::string_view language);
bool is_c89_name(std::string_view language);

// Whether it is C, and not C++ or CUDA.
bool is_c(const KernelIdentity& kernel);

}  // namespace hone
