#include "tool/compile/unit/line_marker.h"

namespace hone::compile {

LineMarker read_line_marker(std::string_view line) {
  if (!line.starts_with("# ") || line.size() < 3 || line[2] < '0' || line[2] > '9') return {};
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (open == std::string_view::npos || close == open) return {};
  const std::string_view flags = line.substr(close + 1);
  return {line.substr(open + 1, close - open - 1), flags.find('1') != std::string_view::npos,
          flags.find('2') != std::string_view::npos, flags.find('3') != std::string_view::npos};
}

bool is_predefined(std::string_view file) {
  return file == "<built-in>" || file == "<command-line>" || file == "<command line>";
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace hone::compile
