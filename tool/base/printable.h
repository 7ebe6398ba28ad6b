// Text that came from what is not trusted (a candidate, a remote worker, a model) on its way to a terminal, a log or a
// record.
//
// What stays is what a person reads: no control characters (so no terminal escapes), no marks that turn the direction
// of what follows, no broken UTF-8. Colors vanish; everything else that is taken out is shown as \x1b or \u202e, so
// that nobody wonders where it went. Pure; linear.
#pragma once

#include <string>
#include <string_view>

namespace hone {

std::string printable(std::string_view text);       // keeps newlines and tabs
std::string printable_line(std::string_view text);  // they become spaces

}  // namespace hone
