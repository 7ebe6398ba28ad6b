// The little that the judge has to know of a shared object's file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::evaluate {

// The libraries that it names as needed (DT_NEEDED), in order. Empty for what is not a 64-bit ELF file of this
// machine's byte order: every offset is checked.
std::vector<std::string> needed_libraries(std::string_view object);

// The symbols that it takes from others, without their versions.
std::vector<std::string> imported_symbols(std::string_view object);

}  // namespace hone::evaluate
