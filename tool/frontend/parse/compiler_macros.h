// Predefined macros by whether every compiler of a file answers a condition on them alike: Clang, which reads the file
// here, and the one that the project is built with. Pure.
#pragma once

#include <string_view>

namespace hone::frontend {

// Tells compilers, or ways to compile, apart.
bool is_compiler_macro(std::string_view name);
// A name that all compilers of a unit give the same meaning in a condition: one that is not reserved to them, or one of
// the reserved ones that say what the target is like.
bool is_settled_macro(std::string_view name);

}  // namespace hone::frontend
