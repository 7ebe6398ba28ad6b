// What computing code may take from libraries: the symbols that a candidate's object may leave undefined though the
// original's does not.
//
// The gate decides which functions a text may call; this list is what their calls, the language and the compilers come
// to: mathematics, memory, exceptions, helpers of the compiler's, and threads where the kernel may have them. What is
// not in it (files, processes, clocks, the loader) is refused by name. Pure.
#pragma once

#include <string_view>

namespace hone::compile {

bool is_for_computing(std::string_view symbol);
bool is_for_threads(std::string_view symbol);

// Is the mangled name one of the C++ library's, such as an instance of a template of it?
bool is_of_the_library(std::string_view symbol);

}  // namespace hone::compile
