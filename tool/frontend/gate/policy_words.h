// What a candidate may include, write and use of the system: the gate's tables. Pure.
#pragma once

#include <string_view>

namespace hone::frontend {

// As written between the brackets: "cmath", "immintrin.h".
bool is_allowed_header(std::string_view name);
bool is_thread_header(std::string_view name);

// Without the underscores around it: "always_inline".
bool is_allowed_attribute(std::string_view name);
// A word that has a meaning as an attribute: a macro of that name could turn an allowed one into another.
bool is_attribute_name(std::string_view name);

// Gives another answer in each compile, or another one where a candidate is judged than where it is built.
bool is_volatile_macro(std::string_view name);

// A function or object by the system header that declares it and its name.
bool is_forbidden_use(std::string_view header_path, std::string_view name, bool threads_allowed);

// A compiler builtin or intrinsic that does I/O, jumps, reads a clock, or changes the processor's state.
bool is_forbidden_builtin(std::string_view name);

}  // namespace hone::frontend
