#include "tool/compile/unit/preamble.h"

#include <algorithm>
#include <array>

#include "tool/compile/unit/line_marker.h"

namespace hone::compile {
namespace {

constexpr std::string_view space = " \t\r\f\v";

std::string_view without_space_in_front(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(space), text.size()));
}

// "#  pragma once" gives "once"; "" for any other line.
std::string_view pragma_of(std::string_view line) {
  std::string_view rest = without_space_in_front(line);
  if (!rest.starts_with('#')) return {};
  rest = without_space_in_front(rest.substr(1));
  constexpr std::string_view word = "pragma";
  return rest.starts_with(word) ? without_space_in_front(rest.substr(word.size())) : std::string_view();
}

// They decide what is said, and nothing of the code.
bool is_harmless(std::string_view pragma) {
  constexpr std::array<std::string_view, 5> harmless = {"once", "GCC diagnostic", "GCC system_header",
                                                        "clang diagnostic", "message"};
  return std::ranges::any_of(harmless, [&](std::string_view one) { return pragma.starts_with(one); });
}

// Whether the lines of one file that it is told are anything but directives, comments and space.
class CodeFinder {
 public:
  bool is_code(std::string_view line) {
    const bool continues = continues_;
    continues_ = (continues || without_space_in_front(line).starts_with('#')) && line.ends_with('\\');
    if (continues) return false;
    line = behind_comments(line);
    return !line.empty() && !line.starts_with('#');
  }

 private:
  std::string_view behind_comments(std::string_view line) {
    for (;;) {
      if (in_comment_) {
        const std::size_t end = line.find("*/");
        if (end == std::string_view::npos) return {};
        line.remove_prefix(end + 2);
      }
      line = without_space_in_front(line);
      in_comment_ = line.starts_with("/*");
      if (line.starts_with("//")) return {};
      if (!in_comment_) return line;
      line.remove_prefix(2);
    }
  }

  bool in_comment_ = false;
  bool continues_ = false;  // a directive, from the line before
};

}  // namespace

std::size_t preamble_size(std::string_view preprocessed) {
  std::size_t size = 0;
  int depth = 0;
  bool system = false;
  CodeFinder finder;
  for (std::string_view rest = preprocessed; !rest.empty();) {
    const std::size_t at = preprocessed.size() - rest.size();
    const std::string_view line = take_line(rest);
    if (const LineMarker marker = read_line_marker(line)) {
      depth += static_cast<int>(marker.enters) - static_cast<int>(marker.returns);
      system = marker.system;
      if (depth == 0 && marker.returns && !is_predefined(marker.file)) size = at;
      continue;
    }
    const std::string_view pragma = pragma_of(line);
    if (!pragma.empty() && !system && !is_harmless(pragma)) break;
    if (depth == 0 && finder.is_code(line)) break;
  }
  return size;
}

bool tells_depth(std::string_view text) {
  return text.find("__INCLUDE_LEVEL__") != std::string_view::npos;
}

// The marker in front returns from a file that this text never entered.
std::string behind_preamble(std::string_view preprocessed, std::size_t preamble) {
  std::string_view rest = preprocessed.substr(preamble);
  if (preamble == 0) return std::string(rest);
  const std::string_view marker = take_line(rest);
  return std::string(marker.substr(0, marker.rfind('"') + 1)).append("\n").append(rest);
}

}  // namespace hone::compile
