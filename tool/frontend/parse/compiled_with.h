// What a command compiles with: the family of the compiler, whose code generator it is, and the options that shape the
// code. A variant is faster for that, and not for another; the key has it, and hone.lock. The version does not count.
//
// The family is read from the compiler's name, else from what the name leads to (`c++` is a link), else the compiler is
// asked (15 ms): a link to a cache, a script. What does not answer is a family of its own, by name. Thread-safe.
#pragma once

#include <string>

#include "tool/command/compile_command.h"

namespace hone::frontend {

// "gcc -O3 -funroll-loops", "nvcc+gcc -O3"
std::string compiled_with(const CompileCommand& command);

// "gcc", "clang", … `compiler` as the command in `directory` has it.
std::string compiler_family(const std::string& compiler, const std::string& directory);

}  // namespace hone::frontend
