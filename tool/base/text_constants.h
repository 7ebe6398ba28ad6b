// The whole numbers that a candidate's text names: sizes are tried at them and beside them, as a buffer, a block or a
// counter of its own ends there.
//
// Reads characters alone, since the machine that judges may have no Clang: literals outside of comments and strings,
// and `a * b` and `a << b` of two such. What is written in another way (a sum of three, a macro's arguments) is missed.
#pragma once

#include <string_view>
#include <vector>

namespace hone {

inline constexpr std::size_t most_text_constants = 64;

// Sorted, each once, from 2 to 2^40.
std::vector<long long> text_constants(std::string_view source);

}  // namespace hone
