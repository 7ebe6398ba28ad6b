// Test vocabulary: a directive as one writes it in a file, the parse as values or as one line of text.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include "annotations/parser.h"

namespace hone::annotations {

inline constexpr Location kOrigin{10, 13};  // behind `#pragma hone`

inline Directive parsed(std::string_view text) {
  auto result = parse(text, kOrigin);
  if (const auto* error = std::get_if<ParseError>(&result)) {
    ADD_FAILURE() << text << "\n" << error->message << "; " << error->expected;
    return {};
  }
  return std::get<Directive>(std::move(result));
}

// "10:21: message; expected", or "" where there is no error.
inline std::string error_of(std::string_view text) {
  const auto result = parse(text, kOrigin);
  const auto* error = std::get_if<ParseError>(&result);
  if (error == nullptr) return "";
  return std::to_string(error->location.line) + ":" + std::to_string(error->location.column) + ": " + error->message +
         "; " + error->expected;
}

inline std::string canonical_of(std::string_view text) {
  return canonical(parsed(text));
}

}  // namespace hone::annotations
