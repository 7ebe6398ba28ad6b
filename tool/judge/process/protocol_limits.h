// What the judge and its runners can say to each other has fixed sizes; few kernels are beyond them.
#pragma once

#include <string>

#include "tool/model/kernel_spec.h"

namespace hone::judge {

// A sentence on what of the kernel is too large; "" where nothing is.
std::string too_large(const KernelData& spec);

}  // namespace hone::judge
