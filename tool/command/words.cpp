#include "tool/command/words.h"

#include <optional>

namespace hone {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

// Inside double quotes a backslash escapes only these (POSIX, 2.2.3).
constexpr bool escapable_in_quotes(char c) {
  return c == '"' || c == '\\' || c == '$' || c == '`';
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;  // absent between words; "" is a word when quoted
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool more = i + 1 < text.size();
    if (quote == 0 && is_blank(c)) {
      if (word) words.push_back(std::move(*word));
      word.reset();
      continue;
    }
    if (!word) word.emplace();
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else if (c == '\\' && more && (quote == 0 || (quote == '"' && escapable_in_quotes(text[i + 1])))) {
      *word += text[++i];
    } else {
      *word += c;
    }
  }
  if (quote != 0) return failure(std::string("the quote ") + quote + " is not closed", std::string(text));
  if (word) words.push_back(std::move(*word));
  if (words.empty()) return failure("the command is empty", std::string(text));
  return words;
}

}  // namespace hone
