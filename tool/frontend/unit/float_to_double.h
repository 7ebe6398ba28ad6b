// From float to double in a parsed unit's text, and what stands in the way of it.
//
// Pure: looks at a parse, hands back edits or a reason. Only the unit's own text is looked at: not what it includes.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "tool/frontend/parse/parse.h"

namespace hone::frontend {

// By offset of the first byte that goes: how many go, and what comes in their place.
struct WideningEdit {
  std::size_t length = 0;
  std::string text;
};
using WideningEdits = std::map<std::size_t, WideningEdit>;

// What in the text before `end` would mean something else with double for float: "main.cpp:3: …", or "".
std::string obstacle_to_widening(const Parsed& parsed, std::size_t end);

// Types, literals, limits and mathematical functions of the whole text.
WideningEdits widening_edits(const Parsed& parsed);

// What in the text before `end` still computes in float at run time, "" when nothing does. For what was widened.
std::string left_in_float(const Parsed& parsed, std::size_t end);

}  // namespace hone::frontend
