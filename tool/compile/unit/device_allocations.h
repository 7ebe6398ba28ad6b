// May a call of a CUDA unit ask the device for memory, and so find what another call left there and freed?
//
// By the words of the text alone, and of the project's headers: what has a word of allocation, a library's name, an
// include that is not known to bring neither, or names that are pasted together, may. Where that is in doubt, it may.
#pragma once

#include <string>
#include <vector>

#include "tool/compile/unit/header_tree.h"
#include "tool/model/kernel_spec.h"

namespace hone::compile {

// `headers`: the project's, which are looked into by themselves.
bool may_allocate_on_device(const std::string& text, const HeaderTree& headers);

// Whatever a candidate may call of the unit, compiled by such a command.
bool may_allocate_on_device(const KernelUnit& unit, const HeaderTree& headers,
                            const std::vector<std::string>& arguments);

}  // namespace hone::compile
