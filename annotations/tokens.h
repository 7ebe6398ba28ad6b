// A directive's text cut into C++ preprocessing tokens, by maximal munch.
//
// Knows no keyword and no operator's meaning; that is the compiler's. Views point into the SplicedText, which must
// outlive the tokens.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "annotations/spliced_text.h"

namespace hone::annotations {

struct Token {
  enum class Kind { identifier, number, string, character, punctuator, end };
  Kind kind = Kind::end;
  std::string_view text;
  Location location;

  bool is(std::string_view punctuator) const { return kind == Kind::punctuator && text == punctuator; }
};

// The last token is of kind `end`, at the place behind the last byte.
std::variant<std::vector<Token>, ParseError> tokenize(const SplicedText& spliced);

}  // namespace hone::annotations
