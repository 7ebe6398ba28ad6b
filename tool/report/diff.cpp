#include "tool/report/diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace hone::report {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct Edit {
  char mark;  // ' ', '-', '+'
  std::string_view line;
};

// Finds edits by the longest common subsequence; where the table would be too large, everything goes and everything
// comes.
std::vector<Edit> edits_between(const Lines& a, const Lines& b) {
  std::vector<Edit> edits;
  const std::size_t width = b.size() + 1;
  const bool affordable = (a.size() + 1) * width <= (64u << 20) / sizeof(std::uint32_t);
  std::vector<std::uint32_t> common(affordable ? (a.size() + 1) * width : 0);
  for (std::size_t i = a.size(); affordable && i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i * width + j] = a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                                           : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (affordable && i < a.size() && j < b.size() && a[i] == b[j]) {
      edits.push_back({' ', a[i]});
      ++i, ++j;
    } else if (i < a.size() &&
               (!affordable || j == b.size() || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      edits.push_back({'-', a[i++]});
    } else {
      edits.push_back({'+', b[j++]});
    }
  }
  return edits;
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::string_view before_name,
                         std::string_view after_name, unsigned context) {
  const Lines a = lines_of(before), b = lines_of(after);
  const std::vector<Edit> edits = edits_between(a, b);
  std::string text;
  std::size_t at = 0, line_a = 1, line_b = 1;
  auto advance = [&](std::size_t to) {
    for (; at < to; ++at) {
      line_a += edits[at].mark != '+';
      line_b += edits[at].mark != '-';
    }
  };
  while (true) {
    const auto change =
        std::find_if(edits.begin() + at, edits.end(), [](const Edit& edit) { return edit.mark != ' '; });
    if (change == edits.end()) return text;
    if (text.empty()) text = fmt::format("--- {}\n+++ {}\n", before_name, after_name);
    const std::size_t first = change - edits.begin();
    advance(first - std::min<std::size_t>(context, first - at));
    // The hunk ends where more than two contexts pass without a change.
    std::size_t end = first, quiet = 0;
    for (std::size_t i = first; i < edits.size() && quiet <= 2 * context; ++i) {
      quiet = edits[i].mark == ' ' ? quiet + 1 : 0;
      if (!quiet) end = i + 1;
    }
    end = std::min<std::size_t>(end + context, edits.size());
    const std::size_t size_a =
        std::count_if(edits.begin() + at, edits.begin() + end, [](auto& e) { return e.mark != '+'; });
    const std::size_t size_b =
        std::count_if(edits.begin() + at, edits.begin() + end, [](auto& e) { return e.mark != '-'; });
    text += fmt::format("@@ -{},{} +{},{} @@\n", size_a ? line_a : line_a - 1, size_a, size_b ? line_b : line_b - 1,
                        size_b);
    for (std::size_t i = at; i < end; ++i) text += fmt::format("{}{}\n", edits[i].mark, edits[i].line);
    advance(end);
  }
}

}  // namespace hone::report
