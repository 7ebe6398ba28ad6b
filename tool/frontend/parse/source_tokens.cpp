#include "tool/frontend/parse/source_tokens.h"

#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Token.h>

#include <algorithm>

namespace hone::frontend {

using namespace clang;

SourceTokens::SourceTokens(std::string_view text, const LangOptions& language) : text_(text) {
  const char* begin = text.data();
  Lexer lexer(SourceLocation(), language, begin, begin, begin + text.size());
  bool directive = false;
  Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
    const std::size_t end = static_cast<std::size_t>(lexer.getBufferLocation() - begin);
    if (token.isAtStartOfLine()) directive = token.is(tok::hash);
    tokens_.push_back(
        {end - token.getLength(), end, token.getKind(), token.isAtStartOfLine(), directive, token.needsCleaning()});
  }
}

std::size_t SourceTokens::at_or_after(std::size_t offset) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(tokens_, offset, {}, &SourceToken::begin) - tokens_.begin());
}

std::size_t SourceTokens::code_at_or_after(std::size_t offset) const {
  std::size_t index = at_or_after(offset);
  while (index < tokens_.size() && tokens_[index].directive) ++index;
  return index;
}

std::string SourceTokens::spelling(std::size_t index) const {
  const SourceToken& token = tokens_[index];
  std::string text(text_.substr(token.begin, token.end - token.begin));
  if (!token.spliced) return text;
  std::string cleaned;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t next = i + 1;
    while (text[i] == '\\' && next < text.size() && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r'))
      ++next;
    if (text[i] == '\\' && next < text.size() && text[next] == '\n')
      i = next;
    else
      cleaned.push_back(text[i]);
  }
  return cleaned;
}

bool SourceTokens::is(std::size_t index, std::string_view wanted) const {
  if (index >= tokens_.size()) return false;
  const SourceToken& token = tokens_[index];
  if (token.spliced) return spelling(index) == wanted;
  return text_.substr(token.begin, token.end - token.begin) == wanted;
}

std::size_t SourceTokens::behind_brackets(std::size_t index) const {
  const bool angle = is(index, "<");
  int depth = 0;
  for (std::size_t i = index; i < tokens_.size(); ++i) {
    if (tokens_[i].directive) continue;
    const tok::TokenKind kind = tokens_[i].kind;
    if (kind == tok::l_paren || kind == tok::l_square || kind == tok::l_brace || (angle && kind == tok::less)) ++depth;
    if (kind == tok::r_paren || kind == tok::r_square || kind == tok::r_brace || (angle && kind == tok::greater))
      --depth;
    if (angle && kind == tok::greatergreater) depth -= 2;
    if (angle && kind == tok::greatergreatergreater) depth -= 3;
    if (depth <= 0) return i + 1;
  }
  return tokens_.size();
}

LangOptions permissive_language() {
  LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = language.CPlusPlus17 = language.CPlusPlus20 = true;
  language.Bool = language.LineComment = language.RawStringLiterals = language.Digraphs = language.GNUMode = true;
  return language;
}

}  // namespace hone::frontend
