// Functions of the standard libraries that count as operations, by what they are called. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hone::frontend {

// "sqrt" for sqrtf, std::sqrt and __builtin_sqrtf; "compare" for std::min; "" for what is none. "fma" counts as a
// multiplication and an addition.
std::string operation_called(std::string_view name);

}  // namespace hone::frontend
