// Can a scalar have this value at all? A compiler converts in silence: 4.5 to 4, 100000 to 34464. Pure.
#pragma once

#include <string>

#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// "" where it can; else a sentence with what the type takes. Structs and pointers take anything.
std::string why_impossible(const Parameter& parameter, double value);

// "" where data can be drawn so; else what is wrong: from high to low, a deviation below zero.
std::string why_nothing_to_draw(Distribution distribution, double first, double second);

}  // namespace hone::frontend
