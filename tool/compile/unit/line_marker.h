// What a preprocessor writes where its text goes to another file or back: `# 12 "file" 1 3`. Pure.
#pragma once

#include <string_view>

namespace hone::compile {

struct LineMarker {
  std::string_view file;  // "": the line is no marker
  bool enters = false;    // a file that is included
  bool returns = false;   // to the one that includes
  bool system = false;    // from here on it is a system header
  explicit operator bool() const { return !file.empty(); }
};

LineMarker read_line_marker(std::string_view line);

// What the compiler defines by itself, from the same flags.
bool is_predefined(std::string_view file);

// The line that `text` begins with, which it is cut by; without its end.
std::string_view take_line(std::string_view& text);

}  // namespace hone::compile
