// Directives by which text means the same in another place of the main file: a class may define a macro in front of a
// member and take it away behind it. The member's text goes behind the class, and what its clauses say to the end. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "tool/frontend/parse/translation_unit.h"

namespace hone::frontend {

struct MacroFrame {
  std::string in_front, behind;  // whole lines; "": each macro is the same in both places
};

// For the text [begin, end), which goes to `to`, outside of it.
MacroFrame frame_for_move(const TranslationUnit& unit, std::size_t begin, std::size_t end, std::size_t to);

}  // namespace hone::frontend
