// What a frozen unit begins with: directives and what its #includes gave, before the first text of the file itself.
//
// It is the same for all variants of a kernel, and most of what their compiles read: it can be compiled once. Its end
// is where an #include ended, at no depth, so that nothing is open there. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hone::compile {

// The bytes of a preprocessed text that are its preamble; 0: it has none. Pragmas end it that a precompiled header may
// not carry on, such as those for the optimizer, unless a system header sets and takes back what they say.
std::size_t preamble_size(std::string_view preprocessed);

// Whether a text may tell how deep its #includes are: g++ counts otherwise behind a precompiled header.
bool tells_depth(std::string_view text);

// What stands behind the preamble, as a text by itself that names the same lines.
std::string behind_preamble(std::string_view preprocessed, std::size_t preamble);

}  // namespace hone::compile
