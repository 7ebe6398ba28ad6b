// The first translation phases of a directive, with every remaining byte's place in the file kept.
//
// Line splices go; a comment becomes blanks (as many as it had bytes when it stood on one line, so that columns hold,
// else one); literals stay as they are. Ends at the first newline outside a comment: what follows is not the
// directive's. Never looks at meaning.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "annotations/directive.h"
#include "annotations/parser.h"

namespace hone::annotations {

inline constexpr std::size_t kMaxDirectiveBytes = 64 * 1024;

struct SplicedText {
  std::string text;
  std::vector<Location> locations;  // one per byte of text, and one more for its end
};

// Error: an unterminated comment or literal, a control character, more than kMaxDirectiveBytes.
std::variant<SplicedText, ParseError> splice(std::string_view text, Location origin);

}  // namespace hone::annotations
