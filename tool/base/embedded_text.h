// A file's text that travels inside the program; generated when Hone is built (cmake_module/private/EmbedTexts.cmake).
#pragma once

#include <string_view>

namespace hone {

struct EmbeddedText {
  std::string_view name;  // of the file, without suffix
  std::string_view text;
};

}  // namespace hone
