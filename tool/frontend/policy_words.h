// What a candidate may include and use of the system: the gate's tables. Pure.
#pragma once

#include <string_view>

namespace hone::frontend {

// As written between the brackets: "cmath", "immintrin.h".
bool is_allowed_header(std::string_view name);
bool is_thread_header(std::string_view name);

// A function or object by the system header that declares it and its name.
bool is_forbidden_use(std::string_view header_path, std::string_view name, bool threads_allowed);

// A compiler builtin that does what the library function of that name does.
bool is_forbidden_builtin(std::string_view name);

}  // namespace hone::frontend
