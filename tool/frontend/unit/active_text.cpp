#include "tool/frontend/unit/active_text.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {
namespace {

struct Conditional {
  std::size_t hash = 0;    // the token
  std::size_t behind = 0;  // the token behind the directive
  std::string word;
};

bool is_conditional(std::string_view word) {
  return word.starts_with("if") || word.starts_with("elif") || word == "else" || word == "endif";
}

std::vector<Conditional> conditionals_of(const SourceTokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<Conditional> found;
  for (std::size_t i = tokens.at_or_after(begin); i + 1 < tokens.size() && tokens[i].begin < end; ++i) {
    if (!tokens[i].directive || !tokens[i].line_start || !tokens[i + 1].directive || tokens[i + 1].line_start) continue;
    Conditional one{i, i + 1, tokens.spelling(i + 1)};
    if (!is_conditional(one.word)) continue;
    while (one.behind < tokens.size() && tokens[one.behind].directive && !tokens[one.behind].line_start) ++one.behind;
    found.push_back(std::move(one));
  }
  return found;
}

bool are_balanced(const std::vector<Conditional>& conditionals) {
  std::size_t depth = 0;
  for (const Conditional& one : conditionals) {
    if (one.word.starts_with("if")) ++depth;
    if (depth == 0) return false;
    if (one.word == "endif") --depth;
  }
  return depth == 0;
}

// Behind the line that goes on at `at`, with comments that end further down and backslashes at its end.
std::size_t behind_line(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (text.substr(at, 2) == "/*") {
      at = text.find("*/", at + 2);
      if (at == text.npos) return text.size();
      ++at;
    } else if (text[at] == '\n' && text[at - 1] != '\\') {
      return at + 1;
    }
  }
  return text.size();
}

}  // namespace

std::string active_text(const TranslationUnit& unit, std::size_t begin, std::size_t end) {
  const std::string_view text = unit.text();
  const SourceTokens& tokens = unit.tokens();
  const std::vector<Conditional> conditionals = conditionals_of(tokens, begin, end);
  if (unit.parsed().language().CUDA || conditionals.empty() || !are_balanced(conditionals))
    return std::string(text.substr(begin, end - begin));
  std::string active;
  std::size_t from = begin;  // of what is kept; npos: nothing is
  for (const Conditional& one : conditionals) {
    const std::size_t hash = tokens[one.hash].begin, last = tokens[one.behind - 1].end;
    if (from != text.npos) active += text.substr(from, text.find_last_of('\n', hash) + 1 - from);
    from = behind_line(text, last);
    if (unit.is_skipped(unit.main_file(), from)) from = text.npos;
  }
  return active.append(text.substr(from, end - from));
}

}  // namespace hone::frontend
