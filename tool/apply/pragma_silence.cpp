#include "tool/apply/pragma_silence.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "tool/frontend/parse/source_tokens.h"

namespace hone::apply {

bool warns_of_pragmas(const CompilerLine& line) {
  if (line.nvcc) return false;
  const std::string& compiler = line.arguments[line.compiler];
  bool usual = compiler.find("clang", compiler.find_last_of('/') + 1) != compiler.npos;
  std::optional<bool> asked;  // whatever stands in front of it or behind
  for (std::size_t at = line.compiler + 1; at < line.arguments.size(); ++at) {
    const std::string_view word = line.arguments[at];
    if (word == "-w") return false;
    if (word == "-Wall" || word == "-Weverything") usual = true;
    if (word == "-Wunknown-pragmas" || word == "-Werror=unknown-pragmas") asked = true;
    if (word == "-Wno-unknown-pragmas") asked = false;
  }
  return asked.value_or(usual);
}

std::string without_annotations(std::string text) {
  const std::string original = text;
  const frontend::SourceTokens tokens(original, frontend::permissive_language());
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!tokens[at].directive || !tokens[at].line_start || !tokens.is(at + 1, "pragma") || !tokens.is(at + 2, "hone"))
      continue;
    std::size_t last = at;
    while (last + 1 < tokens.size() && tokens[last + 1].directive && !tokens[last + 1].line_start) ++last;
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(tokens[at].begin),
        text.begin() + static_cast<std::ptrdiff_t>(tokens[last].end), [](char c) { return c != '\n'; }, ' ');
  }
  return text;
}

}  // namespace hone::apply
