// What an object, a program, a shared library or a static one says of the kernels that are compiled in.
//
// The file may be anybody's: every offset is checked, and what is no note of Hone's is passed over. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/linked/linked_kernel.h"

namespace hone::linked {

struct LinkedUnit {
  std::string member;  // of a static library; "": the file itself
  std::vector<LinkedKernel> kernels;
  bool is_bytecode = false;  // for link-time optimization: its notes come to be where it is linked
};

// Those with kernels or bytecode alone. Error: it is none of these, it is cut short, or a note of Hone's is broken.
Result<std::vector<LinkedUnit>> read_linked(std::string_view bytes);

}  // namespace hone::linked
