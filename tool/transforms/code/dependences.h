// Which order of a loop's work must be kept: whether neighboring iterations may run together, each statement for all of
// them before the next one.
//
// Contract: true only where the subscripts show it; distinct base variables are taken as distinct memory, as the
// annotation promises, and rows of an array as no shorter than the loop that runs along them. What is not understood is
// false. Never changes anything.
#pragma once

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// Copies of consecutive iterations, jammed into the loops inside or run as lanes, compute what the loop computes. The
// loops inside keep their order.
bool copies_keep_order(const clang::ASTContext& ast, const Loop& loop);

}  // namespace hone::frontend
