// The lines of C, C++ or CUDA that make a compiler put notes into its object: for the end of a shadow unit.
//
// Assembler directives at file scope: they define no symbol and stand in a section of their own, so that no function,
// constant or warning changes, with link-time optimization neither. Nothing where the target has no ELF, and nothing in
// code for a device. Same kernels, same bytes. Pure.
#pragma once

#include <string>
#include <vector>

#include "tool/linked/linked_kernel.h"

namespace hone::linked {

// Whole lines; "" for no kernels.
std::string note_source(const std::vector<LinkedKernel>& kernels);

}  // namespace hone::linked
