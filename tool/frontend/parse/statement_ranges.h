// The statements of a candidate's text, and the helpers in front of its definition, by their places: what a reduction
// tries to leave out.
//
// By tokens alone, so that text which does not compile has parts, too. Pure. Nothing is a part that leaves a function
// or a loop by itself (return, break, continue, goto): it may guard against what nobody tries. Text with #if has no
// parts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hone::frontend {

struct TextPart {
  std::size_t begin = 0, end = 0;  // bytes; pragmas in front belong to it
  bool operator==(const TextPart&) const = default;
};

// level 0: declarations in front of the last one, which is the kernel's; level n: statements inside n blocks or
// branches of any function. In the text's order; none contains another.
std::vector<TextPart> parts_of(const std::string& source, unsigned level);

// The text without those parts, and without the lines that are empty then.
std::string without_parts(const std::string& source, const std::vector<TextPart>& parts);

// Behind the brace that opens the last function's body; nullopt: the text does not end with a function.
std::optional<std::size_t> body_of_last_function(const std::string& source);

}  // namespace hone::frontend
