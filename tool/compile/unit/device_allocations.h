// May a call of a CUDA unit ask the device for memory, and so find what another call left there and freed?
//
// By the words of the text alone, and of the project's headers: what has a word of allocation, a library's name, an
// include that is not known to bring neither, or names that are pasted together, may. Where that is in doubt, it may.
#pragma once

#include <string>

#include "tool/compile/unit/frozen_unit.h"

namespace hone::compile {

// With `source` in the unit.
bool may_allocate_on_device(const FrozenUnit& unit, const std::string& source);

}  // namespace hone::compile
