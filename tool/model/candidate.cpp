#include "tool/model/candidate.h"

#include <algorithm>
#include <string_view>

namespace hone {
namespace {

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

bool is_include(std::string_view line) {
  if (line.empty() || line.front() != '#') return false;
  return trimmed(line.substr(1)).starts_with("include");
}

// Behind a /* comment */ that starts at `at` and ends its line; `at` where there is none.
std::size_t behind_block_comment(const std::string& source, std::size_t at) {
  const std::size_t begin = source.find_first_not_of(" \t", at);
  if (begin == std::string::npos || source.compare(begin, 2, "/*") != 0) return at;
  const std::size_t close = source.find("*/", begin + 2);
  if (close == std::string::npos) return at;
  const std::size_t end = std::min(source.find('\n', close), source.size());
  const std::string_view rest = std::string_view(source).substr(close + 2, end - close - 2);
  return trimmed(rest).empty() ? std::min(end + 1, source.size()) : at;
}

}  // namespace

// Only includes that stand before everything else (blank lines and comments aside) are moved: one further down may
// depend on a macro or an #if around it. They keep their lines, for messages.
SplitSource split_includes(const std::string& source) {
  SplitSource split;
  std::size_t at = 0;
  unsigned line_number = 1, written = 1;
  while (at < source.size()) {
    if (const std::size_t behind = behind_block_comment(source, at); behind != at) {
      line_number += static_cast<unsigned>(std::count(source.begin() + static_cast<std::ptrdiff_t>(at),
                                                      source.begin() + static_cast<std::ptrdiff_t>(behind), '\n'));
      at = behind;
      continue;
    }
    std::size_t end = source.find('\n', at);
    if (end == std::string::npos) end = source.size();
    const std::string_view line = trimmed(std::string_view(source).substr(at, end - at));
    if (is_include(line)) {
      split.includes.append(line_number - written, '\n').append(line).push_back('\n');
      written = line_number + 1;
    } else if (!line.empty() && !line.starts_with("//")) {
      break;
    }
    at = end == source.size() ? end : end + 1;
    ++line_number;
  }
  split.definition = source.substr(at);
  split.definition_line = line_number;
  return split;
}

}  // namespace hone
