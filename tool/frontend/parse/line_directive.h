// #line directives, which keep diagnostics and __LINE__ those of the file that the user wrote. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hone::frontend {

// `#line 12 "file"` and a newline; quotes and backslashes in the name are escaped.
std::string line_directive(unsigned line, std::string_view file);

// Blanks as wide as text[begin, end), tabs kept: what follows keeps its column.
std::string padding(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace hone::frontend
