// Blocks that a person would not have written: transformations put braces around what they write, whether it needs a
// scope or not.
//
//   { { const int dx = -1; { sum += x[dx]; } } }   →   { const int dx = -1; sum += x[dx]; }
//
// Contract: the function means the same; no name comes to stand in a scope that has it already. A block behind a
// #pragma stays, and so does everything in a function with labels. Pure.
#pragma once

#include <string>
#include <vector>

#include "tool/transforms/code/transformation.h"

namespace hone::frontend {

// The candidate's text without the needless braces of these functions, which are of one parse.
std::string without_needless_braces(const std::vector<KernelContext>& functions);

}  // namespace hone::frontend
