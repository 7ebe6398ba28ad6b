#include "tool/evaluate/diagnostics.h"

#include <vector>

namespace hone::evaluate {
namespace {

constexpr std::size_t most_lines = 60;
constexpr std::size_t most_columns = 400;  // template instantiations can fill a page each

bool is_error(std::string_view line) {
  for (const std::string_view mark :
       {": error: ", ": fatal error: ", ": undefined reference to ", "undefined symbol: "}) {
    if (line.find(mark) != std::string_view::npos) return true;
  }
  return line.starts_with("error: ") || line.starts_with("virtual memory exhausted");
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

CompilerComplaint read_diagnostics(std::string_view output) {
  const std::vector<std::string_view> lines = lines_of(output);
  std::size_t first = 0;
  while (first < lines.size() && !is_error(lines[first])) ++first;
  CompilerComplaint complaint;
  if (first < lines.size())
    complaint.reason = lines[first].substr(0, most_columns);
  else if (!lines.empty())
    complaint.reason = lines.back().substr(0, most_columns);
  // What stands before the first error (in which function, included from where) belongs to it, unless it is far away.
  std::size_t from = first < lines.size() && first > 8 ? first - 8 : 0;
  for (std::size_t i = from; i < lines.size() && i < from + most_lines; ++i) {
    complaint.detail.append(lines[i].substr(0, most_columns)).push_back('\n');
  }
  if (lines.size() > from + most_lines) complaint.detail += "…\n";
  return complaint;
}

}  // namespace hone::evaluate
