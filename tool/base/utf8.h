// UTF-8 one character at a time: RFC 3629, so in its shortest form, without surrogates, up to U+10FFFF. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace hone {

struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: no UTF-8
};

Utf8Character first_character(std::string_view text);  // of text that is not empty

}  // namespace hone
