// What holds for any text at all: shared by the mutation test and the libFuzzer target.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "annotations/parser.h"

namespace hone::annotations {

// Does the place lie in the text that starts at 1:1 (or just behind its end)?
inline bool inside(std::string_view text, Location location) {
  Location here{1, 1};
  for (std::size_t i = 0;; ++i) {
    if (here == location) return true;
    if (i == text.size()) return false;
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
      here = {here.line + 1, 1};
    else if (text[i] != '\r')
      ++here.column;
  }
}

// "" or the property that does not hold.
inline std::string broken_property(std::string_view text) {
  const auto result = parse(text, {1, 1});
  if (const auto* error = std::get_if<ParseError>(&result)) {
    if (!inside(text, error->location)) return "the error lies outside the text";
    if (error->message.empty() || error->expected.empty()) return "the error says nothing";
    return "";
  }
  const Directive& directive = std::get<Directive>(result);
  for (const Section& section : directive.sections)
    for (const Dimension& dimension : section.dimensions)
      if (dimension.length.text.empty() || !inside(text, dimension.length.location))
        return "an extent lies outside the text";
  const std::string once = canonical(directive);
  const auto again = parse(once, {1, 1});
  if (!std::holds_alternative<Directive>(again)) return "the canonical text is an error: " + once;
  if (canonical(std::get<Directive>(again)) != once) return "the canonical text is no fixpoint: " + once;
  return "";
}

}  // namespace hone::annotations
