// The make rules in which compilers write what an object was made of (-M, -MD), word by word.
//
// Escapes are those of GCC and Clang, which nvcc hands on: `\ `, `\#`, `$$`. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

bool is_make_blank(char c);

// Where the word at `at` ends: at a blank that no backslash protects.
std::size_t make_word_end(std::string_view text, std::size_t at);

// The file that a word names.
std::string make_path(std::string_view word);

// What the first rule depends on, in its order. Empty: there is no rule.
std::vector<std::string> make_prerequisites(std::string_view text);

}  // namespace hone
