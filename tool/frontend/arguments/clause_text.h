// What the text of a clause's expression says by itself, before any compiler looks at it. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::frontend {

// A plain decimal number, as constants nearly always are; anything else is for the compiler.
std::optional<double> plain_number(const std::string& text);

// Names, but those of members.
std::vector<std::string> identifiers_in(const std::string& expression);

// "g", "->", "cells", "[", …
std::vector<std::string> words_of(const std::string& text);
bool is_identifier(const std::string& word);

}  // namespace hone::frontend
