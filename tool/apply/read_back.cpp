#include "tool/apply/read_back.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hone::apply {
namespace {

constexpr std::array<std::string_view, 6> coverage = {"--coverage",         "-coverage", "-ftest-coverage",
                                                      "-fcoverage-mapping", "-lineinfo", "-G"};
// Of -g these say how, and not that.
constexpr std::array<std::string_view, 4> how = {"-gno-", "-gcolumn", "-gsplit", "-gz"};

bool starts_with_any(std::string_view word, const auto& starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return word.starts_with(start); });
}

}  // namespace

bool is_read_back(const std::vector<std::string>& arguments) {
  bool debug = false;
  for (const std::string& word : arguments) {
    if (std::ranges::find(coverage, word) != coverage.end()) return true;
    if (word.starts_with("-g") && !starts_with_any(word, how)) debug = !word.ends_with('0');
  }
  return debug;
}

}  // namespace hone::apply
