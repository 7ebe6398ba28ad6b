#include "tool/apply/dropped_calls.h"

#include <algorithm>
#include <set>

#include "tool/frontend/parse/source_tokens.h"

namespace hone::apply {
namespace {

bool is_keyword(const std::string& name) {
  static const std::set<std::string> words{"alignof", "decltype", "for", "if", "return", "sizeof", "switch", "while"};
  return words.contains(name);
}

std::set<std::string> called_in(const std::string& text) {
  const frontend::SourceTokens tokens(text, frontend::permissive_language());
  std::set<std::string> names;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at)
    if (tokens[at].kind == clang::tok::raw_identifier && tokens.is(at + 1, "(") && !is_keyword(tokens.spelling(at)))
      names.insert(tokens.spelling(at));
  return names;
}

}  // namespace

bool drops_calls(const std::string& text, const std::vector<frontend::Replacement>& variants) {
  return std::ranges::any_of(variants, [&](const frontend::Replacement& replacement) {
    if (!replacement.beside.empty()) return false;  // the original stays
    const std::size_t begin = replacement.placement.begin, end = replacement.placement.end;
    return begin == end ||
           !std::ranges::includes(called_in(replacement.variant), called_in(text.substr(begin, end - begin)));
  });
}

}  // namespace hone::apply
