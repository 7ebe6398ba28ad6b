#include "tool/search/knowledge/token_range.h"

#include <algorithm>

namespace hone::search {
namespace {

bool is_one_of(const CodeText& code, std::size_t token, std::string_view characters) {
  const std::string_view spelling = code.spelling(token);
  return spelling.size() == 1 && characters.find(spelling) != std::string_view::npos;
}

// Of a bracket that opens: the one that closes it, at most the last token. Of all else the token itself.
std::size_t behind_brackets(const CodeText& code, std::size_t token, std::size_t end) {
  return is_one_of(code, token, "([{") ? std::min(code.closing(token), end - 1) : token;
}

}  // namespace

std::vector<TokenRange> split(const CodeText& code, TokenRange tokens, std::string_view separators) {
  std::vector<TokenRange> parts;
  std::size_t begin = tokens.begin;
  for (std::size_t i = tokens.begin; i < tokens.end; ++i) {
    if (is_one_of(code, i, separators)) {
      parts.push_back({begin, i});
      begin = i + 1;
    }
    i = behind_brackets(code, i, tokens.end);
  }
  parts.push_back({begin, tokens.end});
  return parts;
}

std::size_t end_of_statement(const CodeText& code, TokenRange tokens) {
  for (std::size_t i = tokens.begin; i < tokens.end; ++i) {
    if (code.is(i, ";")) return i + 1;
    const bool block = code.is(i, "{");
    i = behind_brackets(code, i, tokens.end);
    if (block) return i + 1;
  }
  return tokens.end;
}

std::size_t end_of_expression(const CodeText& code, TokenRange tokens) {
  for (std::size_t i = tokens.begin; i < tokens.end; ++i) {
    if (is_one_of(code, i, ";,)}]")) return i;
    i = behind_brackets(code, i, tokens.end);
  }
  return tokens.end;
}

std::size_t begin_of_expression(const CodeText& code, std::size_t at) {
  constexpr std::size_t most = 40;  // tokens: the condition of a conditional expression is seldom longer
  std::size_t begin = at;
  while (begin > 0 && at - begin < most && !is_one_of(code, begin - 1, "=;{},([") && !code.is(begin - 1, "return"))
    --begin;
  return begin;
}

}  // namespace hone::search
