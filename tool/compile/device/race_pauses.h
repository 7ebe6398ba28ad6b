// Pauses for the warps of CUDA code: each waits for another while where a kernel begins and behind its barriers, called
// or in assembly.
//
// Code without races computes the same with them, whatever the order of its warps and blocks. A race whose outcome is
// right as long as the others are quick (shared counts cleared and used without a barrier in between, a block that
// takes another's results for ready) comes out wrong. compute-sanitizer's racecheck sees neither plain writes beside
// atomics nor races between blocks. Pure; works on the text alone, as the unit's compile does.
#pragma once

#include <string>
#include <string_view>

namespace hone::compile {

// The source with calls of the pause, in the lines that it has.
std::string with_pauses(std::string_view source);

// Defines what they call; stands in front of the source, at namespace level of the whole file.
extern const char* const pause_definition;

}  // namespace hone::compile
