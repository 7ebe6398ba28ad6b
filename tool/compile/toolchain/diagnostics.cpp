#include "tool/compile/toolchain/diagnostics.h"

#include <cctype>
#include <vector>

#include "tool/compile/toolchain/ptxas_report.h"

namespace hone::compile {
namespace {

constexpr std::size_t most_lines = 60;     // enough for the first errors, little in a prompt
constexpr std::size_t most_columns = 400;  // template instantiations can fill a page each

// Compilers, linkers, and the parts of nvcc ("ptxas error   : …", "nvcc fatal   : …").
bool is_error(std::string_view line) {
  for (const std::string_view mark : {": error: ", ": fatal error: ", ": undefined reference to ", "undefined symbol: ",
                                      ": error #", ": catastrophic error: ", "; error   : ", "; fatal   : "}) {
    if (line.find(mark) != std::string_view::npos) return true;
  }
  for (const std::string_view part : {"ptxas", "nvcc", "nvlink", "fatbinary", "cicc"}) {
    if (line.starts_with(part) &&
        (line.substr(part.size()).starts_with(" error ") || line.substr(part.size()).starts_with(" fatal ")))
      return true;
  }
  return line.starts_with("error: ") || line.starts_with("virtual memory exhausted");
}

// nvcc's own parser writes "candidate(3): error: …": as all others write it.
std::string with_colons(std::string_view line) {
  const std::size_t close = line.find("): ");
  if (close == std::string_view::npos) return std::string(line);
  std::size_t open = close;
  while (open > 0 && std::isdigit(static_cast<unsigned char>(line[open - 1]))) --open;
  if (open < 2 || open == close || line[open - 1] != '(') return std::string(line);
  std::string text(line.substr(0, open - 1));
  text += ':';
  text += line.substr(open, close - open);
  return text.append(line.substr(close + 1));
}

// ptxas names functions by their symbols: '_Z4stepPKfPfi'.
std::string with_names(std::string line) {
  for (std::size_t at = 0; (at = line.find("_Z", at)) != std::string::npos;) {
    std::size_t end = at;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_')) ++end;
    const std::string name = demangled(line.substr(at, end - at));
    line.replace(at, end - at, name);
    at += name.size();
  }
  return line;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(with_names(with_colons(text.substr(0, end))));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

CompilerComplaint read_diagnostics(std::string_view output) {
  const std::vector<std::string> lines = lines_of(output);
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

}  // namespace hone::compile
