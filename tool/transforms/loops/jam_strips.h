// unroll_jam as it is written for people: the copies are told from one another by an index, inside of a
// vectorise_outer's strips, too.
//
//   for i { lanes = [&](int j0, int width) { float s[32]; for k for j s[j - j0] += …; }; … lanes(…) … }
//   → rows = [&](int i0, int count) { lanes = … { float s[4][32]; for k for j for i s[i - i0][j - j0] += …; } … };
#pragma once

#include <optional>
#include <string>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// nullopt: not for people, not in C++, or the body holds what cannot run copy by copy in a loop.
std::optional<std::string> jammed_strips(const KernelContext& context, LoopNest& nest, const Loop& loop, int factor);

}  // namespace hone::frontend
