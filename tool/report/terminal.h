// What a terminal shows of a text, and how much of it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace hone::report {

// In columns, as terminals count: wide characters take two, combining ones none. Without escape sequences.
std::size_t columns_of(std::string_view text);
// Cut to so many columns, in whole characters, with "..." where there is room for it.
std::string cut(std::string_view text, std::size_t columns);

struct TerminalSize {
  std::size_t columns = 80, rows = 24;
};
// COLUMNS and LINES, else what the terminal says, else 80 by 24.
TerminalSize terminal_size(std::FILE* stream);

// Whether lines may be drawn over there: a terminal, and not TERM=dumb.
bool can_redraw(std::FILE* stream);
// Whether colors may be used where can_redraw(): NO_COLOR is not set.
bool wants_color();
// Whether this process may write over what the terminal shows now: no other job is in its foreground.
bool has_terminal_now(std::FILE* stream);

}  // namespace hone::report
