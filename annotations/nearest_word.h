// "did you mean 'inout'?": the known word nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hone::annotations {

// Insertions, deletions, substitutions and swaps of neighbors that lead from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `known` within a third of the word's length (at least one edit), or "".
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// What to print as expected: "did you mean 'in'?", else "expected one of: in, out, inout".
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

}  // namespace hone::annotations
