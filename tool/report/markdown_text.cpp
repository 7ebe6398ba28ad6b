#include "tool/report/markdown_text.h"

#include <algorithm>

#include "tool/base/printable.h"

namespace hone::report {
namespace {

constexpr std::size_t kLongestInALine = 200;

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// Whatever could mean something to Markdown is a number to it.
std::string in_entities(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool plain = c == ' ' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       static_cast<unsigned char>(c) >= 0x80;
    escaped += plain ? std::string(1, c) : "&#" + std::to_string(c) + ';';
  }
  return escaped;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  std::string line = printable_line(text);
  if (line.size() <= most) return line;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
  return line.substr(0, end) + "…";
}

std::string html_code(std::string_view text) {
  return "<code>" + in_entities(shortened(text, kLongestInALine)) + "</code>";
}

// A cell ends at a pipe even within code, and how a backslash in front of it is read differs.
std::string code_span(std::string_view text) {
  const std::string line = shortened(text, kLongestInALine);
  if (line.find_first_not_of(' ') == std::string::npos || line.find_first_of("|\\") != std::string::npos)
    return html_code(line);
  const std::string delimiter(longest_run_of_backticks(line) + 1, '`');
  const bool padded = delimiter.size() > 1 || (line.front() == ' ' && line.back() == ' ');  // of which one goes
  const char* const space = padded ? " " : "";
  return delimiter + space + line + space + delimiter;
}

std::string fenced(std::string_view text, std::string_view language) {
  std::string lines = printable(text);
  if (lines.empty() || lines.back() != '\n') lines += '\n';
  const std::string fence(std::max<std::size_t>(longest_run_of_backticks(lines) + 1, 3), '`');
  return fence + std::string(language) + '\n' + lines + fence + '\n';
}

}  // namespace hone::report
