#include "tool/tune/profile/quoted_line.h"

#include <fmt/format.h>

namespace hone::tune {

constexpr std::size_t longest_quote = 72;  // enough to know a line again, and a prompt is paid by length

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

std::string quoted_line(const std::vector<std::string_view>& source, unsigned line) {
  if (line == 0 || line > source.size()) return fmt::format("line {}", line);
  const std::string_view code = trimmed(source[line - 1]);
  return fmt::format("line {} `{}{}`", line, code.substr(0, longest_quote), code.size() > longest_quote ? "…" : "");
}

}  // namespace hone::tune
