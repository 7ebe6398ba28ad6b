#include "tool/base/text_constants.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>

namespace hone {
namespace {

constexpr long long largest = 1LL << 40;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

// `text` without comments, and a blank for each string and character.
std::string code_of(std::string_view text) {
  std::string code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text.substr(i, 2) == "/*") {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
      const char quote = text[i++];
      while (i < text.size() && text[i] != quote && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
      code += ' ';
    } else {
      code += text[i];
    }
  }
  return code;
}

// A number's characters from `at` on, which is moved behind them; nullopt: it is none, or not whole.
std::optional<long long> number_at(const std::string& code, std::size_t& at) {
  std::string digits;
  bool whole = true;
  const bool hexadecimal = code.compare(at, 2, "0x") == 0 || code.compare(at, 2, "0X") == 0;
  for (; at < code.size() && (is_word(code[at]) || code[at] == '.' || code[at] == '\''); ++at) {
    const char c = code[at];
    whole &= c != '.' && (hexadecimal || (c != 'e' && c != 'E' && c != 'f' && c != 'F'));
    if (c != '\'') digits += c;
  }
  if (!whole) return std::nullopt;
  const bool binary = digits.starts_with("0b") || digits.starts_with("0B");
  const unsigned long long value = std::strtoull(digits.c_str() + (binary ? 2 : 0), nullptr, binary ? 2 : 0);
  return value > static_cast<unsigned long long>(largest) ? largest + 1 : static_cast<long long>(value);
}

void skip_blanks(const std::string& code, std::size_t& at) {
  while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at]))) ++at;
}

std::optional<long long> combined(long long first, bool shift, long long second) {
  if (shift) return second < 40 && first <= largest >> second ? std::optional(first << second) : std::nullopt;
  return second == 0 || first <= largest / second ? std::optional(first * second) : std::nullopt;
}

}  // namespace

std::vector<long long> text_constants(std::string_view source) {
  const std::string code = code_of(source);
  std::set<long long> found;
  const auto add = [&](std::optional<long long> value) {
    if (value && *value >= 2 && *value <= largest) found.insert(*value);
  };
  long long before = -1;  // of an operator that `shift` names; -1: there is none
  bool shift = false;
  for (std::size_t i = 0; i < code.size();) {
    if (!is_digit(code[i])) {
      const bool word = is_word(code[i]);
      while (i < code.size() && word && is_word(code[i])) ++i;
      i += !word;
      before = -1;
      continue;
    }
    const std::optional<long long> value = number_at(code, i);
    add(value);
    if (before >= 0 && value) add(combined(before, shift, *value));
    skip_blanks(code, i);
    shift = code.compare(i, 2, "<<") == 0;
    before = shift || (i < code.size() && code[i] == '*') ? value.value_or(-1) : -1;
    if (before >= 0) i += shift ? 2 : 1;
    skip_blanks(code, i);
  }
  std::vector<long long> list(found.begin(), found.end());
  if (list.size() > most_text_constants) list.resize(most_text_constants);
  return list;
}

}  // namespace hone
