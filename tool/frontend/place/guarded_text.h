// A variant that relies on fixed scalars, in the user's file beside the original:
//
//   the variant, under a name of its own and for this file alone, in front of the kernel
//   the kernel's own text, in whose body first of all the guard is asked, and the variant called where it says yes
//
// The variant stands in the scope that it was judged in, so that its names mean the same; and the original in the one
// that the user wrote. Pure.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/frontend/find/kernel_finder.h"

namespace hone::frontend {

// The variant's text with the kernel's function renamed to Guard::variant and `static`; lines stay. Error: it defines
// no such function that could be seen.
Result<std::string> renamed_variant(const FoundKernel& kernel, const std::string& variant);

}  // namespace hone::frontend
