#include "tool/frontend/parse/line_directive.h"

namespace hone::frontend {

std::string line_directive(unsigned line, std::string_view file) {
  std::string text = "#line " + std::to_string(line) + " \"";
  for (char c : file) {
    if (c == '"' || c == '\\') text.push_back('\\');
    text.push_back(c);
  }
  return text + "\"\n";
}

std::string padding(std::string_view text, std::size_t begin, std::size_t end) {
  std::string blanks;
  for (std::size_t i = begin; i < end; ++i) blanks.push_back(text[i] == '\t' ? '\t' : ' ');
  return blanks;
}

}  // namespace hone::frontend
