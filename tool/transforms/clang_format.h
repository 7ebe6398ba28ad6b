// Lays out C++ text as the project around it does, for people who read the diff.
#pragma once

#include <string>

namespace hone::frontend {

// `text` by the .clang-format that applies to `file` (LLVM's style where there is none). Only blanks and line ends
// change: tokens, includes' order and string literals stay. Text that cannot be laid out comes back as it is.
std::string laid_out(const std::string& text, const std::string& file);

// How long its lines may be; 0: as long as they like.
unsigned column_limit(const std::string& file);

}  // namespace hone::frontend
