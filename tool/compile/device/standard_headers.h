// The standard library's headers for NVRTC, which finds no host compiler's.
//
// They give what NVRTC has built in the names that C++ has for it; the rest is libcu++'s, of CUDA's toolkit. A unit
// that wants more of the library is not for NVRTC. Pure.
#pragma once

#include <vector>

#include "tool/compile/unit/header_tree.h"

namespace hone::compile {

std::vector<HeaderTree::Header> standard_headers();

// The one of them that stands for what nvcc includes at the start of each unit.
inline constexpr const char* first_header = "hone_first.h";

}  // namespace hone::compile
