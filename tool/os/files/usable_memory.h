// How much memory there is.
#pragma once

#include <cstddef>

namespace hone::os {

// Bytes that a program may plan with: half of the machine, and no more than is free.
std::size_t usable_memory();

}  // namespace hone::os
