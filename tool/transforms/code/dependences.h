// Which order of a loop's work must be kept: whether neighboring iterations may run together, each statement for all of
// them before the next one.
//
// Contract: true only where the subscripts show it; distinct base variables are taken as distinct memory, as the
// annotation promises, and rows of an array as no shorter than the loop that runs along them. What is not understood is
// false. Never changes anything.
#pragma once

#include <optional>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// Copies of consecutive iterations, jammed into the loops inside or run as lanes, compute what the loop computes. The
// loops inside keep their order.
bool copies_keep_order(const clang::ASTContext& ast, const Loop& loop);

// How many consecutive iterations may run at once, each by a thread of its own, if all wait for each other behind them:
// the shortest distance, in iterations, at which one touches what another writes. nullopt: not known, or none does.
std::optional<long long> dependence_distance(const clang::ASTContext& ast, const Loop& loop);

}  // namespace hone::frontend
