// What differs between two texts of tokens, in words: "`255` became `254`; `& 7` was removed". Pure.
#pragma once

#include <string>

namespace hone::lock {

// Tokens stand between blanks and line ends. The first few places; "" where nothing differs.
std::string token_changes(const std::string& before, const std::string& after);

}  // namespace hone::lock
