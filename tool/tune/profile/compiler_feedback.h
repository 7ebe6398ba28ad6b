// Where a kernel's time goes, from what the compiler says and what it wrote, as text for prompts.
//
// Two sources, both of one more compile of the candidate: the compiler's remarks on vectorization (of the candidate's
// own lines, each said once, with the line quoted) and the innermost loops of the assembly (how much of the arithmetic
// is packed, how wide, what goes to the stack, what is called). Pure: the same compile gives the same text.
#pragma once

#include <string>
#include <string_view>

namespace hone::tune {

// "- line 5 `for (int j = 0; …)`: couldn't vectorize loop (control flow in loop)". At most `most` lines; "" for none.
// GCC's -fopt-info and Clang's -Rpass; lines count from 1 in `source`, under the name "candidate".
std::string vectorization_remarks(std::string_view remarks, std::string_view source, std::size_t most = 12);

// A line for each of the innermost loops of `symbol` and of what was split off from it, the longest arithmetic first,
// at most `most`. x86 alone: "" elsewhere.
std::string innermost_loops(std::string_view assembly, std::string_view symbol, std::string_view source,
                            std::size_t most = 4);

}  // namespace hone::tune
