#include "tool/frontend/arguments/clause_text.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {

std::optional<double> plain_number(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return std::nullopt;
  std::size_t end = text.find_last_not_of(" \t") + 1;
  const bool negative = text[begin] == '-';
  const std::size_t digits = begin + (negative ? 1 : 0);
  if (digits < end && text[digits] == '0' && digits + 1 < end &&
      (std::isdigit(static_cast<unsigned char>(text[digits + 1])) ||
       std::isalpha(static_cast<unsigned char>(text[digits + 1]))))
    return std::nullopt;  // octal, hexadecimal, binary
  if (end > digits && (text[end - 1] == 'f' || text[end - 1] == 'F')) --end;
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data() + digits, text.data() + end, value);
  if (error != std::errc() || stop != text.data() + end || !std::isfinite(value)) return std::nullopt;
  return negative ? -value : value;
}

std::vector<std::string> identifiers_in(const std::string& expression) {
  std::vector<std::string> names;
  const SourceTokens tokens(expression, permissive_language());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool member = i > 0 && (tokens.is(i - 1, ".") || tokens.is(i - 1, "->"));
    if (tokens[i].kind == clang::tok::raw_identifier && !member) names.push_back(tokens.spelling(i));
  }
  return names;
}

std::vector<std::string> words_of(const std::string& text) {
  const SourceTokens tokens(text, permissive_language());
  std::vector<std::string> words;
  for (std::size_t i = 0; i < tokens.size(); ++i) words.push_back(tokens.spelling(i));
  return words;
}

bool is_identifier(const std::string& word) {
  return !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_' || word[0] == '$' ||
                           static_cast<unsigned char>(word[0]) >= 0x80);
}

}  // namespace hone::frontend
