#include "tool/model/candidate.h"

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

}  // namespace

// Only includes that stand before everything else (blank lines and // comments aside) are moved: one further down may
// depend on a macro or an #if around it.
SplitSource split_includes(const std::string& source) {
  SplitSource split;
  std::size_t at = 0;
  unsigned line_number = 1;
  while (at < source.size()) {
    std::size_t end = source.find('\n', at);
    if (end == std::string::npos) end = source.size();
    const std::string_view line = trimmed(std::string_view(source).substr(at, end - at));
    if (is_include(line)) {
      split.includes.append(line).push_back('\n');
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
