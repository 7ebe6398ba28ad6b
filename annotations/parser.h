// From the text behind `#pragma hone` to a Directive, or to the first thing wrong with it.
//
// Never reads files, never allocates without bound on hostile input (nesting and length are capped), never throws.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "annotations/directive.h"
#include "tool/diagnostics/diagnostic_code.h"

namespace hone::annotations {

struct ParseError {
  DiagnosticCode code;
  Location location;
  std::string message;   // "unknown clause 'inn'"
  std::string expected;  // "expected one of: in, out, …" or a suggestion: "did you mean 'in'?"
  bool operator==(const ParseError&) const = default;
};

// `text` is what follows the word `hone`, up to the end of the directive, as it stands in the file: backslash-newline
// splices and comments included; what stands behind that end is not read. `origin` is the place of its first character;
// every Location counts from there.
std::variant<Directive, ParseError> parse(std::string_view text, Location origin);

// The directive in one canonical spelling (clause order fixed, layout and comments gone, defaults written out),
// so that two spellings of one meaning give one request key.
std::string canonical(const Directive& directive);

}  // namespace hone::annotations
