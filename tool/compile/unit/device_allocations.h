// May a call of a CUDA unit ask the device for memory, and so find what another call left there and freed?
//
// The words of the text decide, and those of the project's headers. A text may allocate if it has a word of allocation,
// the name of a library that allocates, an include that is not on the list, or names that are pasted together.
#pragma once

#include <string>
#include <vector>

#include "tool/compile/unit/frozen_unit.h"
#include "tool/compile/unit/header_tree.h"
#include "tool/model/kernel_spec.h"

namespace hone::compile {

// `headers`: the project's, which are looked into by themselves.
bool may_allocate_on_device(const std::string& text, const HeaderTree& headers);

// Whatever a candidate may call of the unit, compiled by such a command.
bool may_allocate_on_device(const KernelUnit& unit, const HeaderTree& headers,
                            const std::vector<std::string>& arguments);

// The unit with `source` in it.
bool may_allocate_on_device(const FrozenUnit& unit, const std::string& source);

}  // namespace hone::compile
