// A directive's text cut into C++ preprocessing tokens, by maximal munch and in one pass: what a quote or a comment
// mark is depends on the token before it, so nothing else may decide where one begins.
//
// Line splices go; a comment becomes blanks (as many as it had bytes when it stood on one line, so that columns hold,
// else one). Ends at the first newline outside a comment: what follows is not the directive's. Knows no keyword and no
// operator's meaning; that is the compiler's.
//
// What cannot be C++, or is read as something else by one compiler than by another, is an error: empty character
// literals, control characters, and outside of literals bytes that are no UTF-8, characters that no name has, universal
// character names, digraphs and trigraphs.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "annotations/directive.h"
#include "annotations/parser.h"

namespace hone::annotations {

inline constexpr std::size_t kMaxDirectiveBytes = 64 * 1024;

struct Token {
  enum class Kind { identifier, number, string, character, punctuator, end };
  Kind kind = Kind::end;
  std::string_view text;
  Location location;

  bool is(std::string_view punctuator) const { return kind == Kind::punctuator && text == punctuator; }
};

struct Tokens {
  std::unique_ptr<const std::string> text;  // what the tokens are views of, with the blanks between them
  std::vector<Token> list;                  // the last is of kind `end`, at the place behind the last byte
};

// `origin` is the place of the text's first character.
std::variant<Tokens, ParseError> tokenize(std::string_view text, Location origin);

}  // namespace hone::annotations
