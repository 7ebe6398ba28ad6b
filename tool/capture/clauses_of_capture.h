// From a capture to the clauses that an annotation may then leave out: problems, weighted by what they were of the
// program's time, and how data is drawn beside the real ones.
//
// Numbers are drawn from the range that was seen. Integers may be subscripts: where sizes are smaller, they stay below the
// scalar that they nearly reached, or below those that were always larger. Where all were the same, zero is in the range.
// Ascending arrays stay ascending. It is a guess from what was seen, and an annotation's own clause always stands.
// Reads the folder; changes nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "tool/model/captured_clauses.h"

namespace hone::capture {

inline constexpr std::size_t most_problems_tuned = 8;
inline constexpr double enough_of_time = 0.98;  // what is rarer is verified with its inputs, and not timed

CapturedClauses clauses_of_capture(const std::filesystem::path& folder, const std::string& kernel);

}  // namespace hone::capture
