// unroll_jam behind a vectorise_outer that was written for people: the copies are told from one another by an index.
//
//   for i { strip = [&](int j_strip, int width) { float s[32]; for k for j s[j - j_strip] += …; }; … strip(…) … }
//   → rows = [&](int i_strip, int count) { strip = … { float s[4][32]; for k for i for j s[i - i_strip][…] += …; } … };
#pragma once

#include <optional>
#include <string>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// nullopt: the loop's body is not such a function and its calls.
std::optional<std::string> jammed_strips(const KernelContext& context, const Loop& loop, int factor);

}  // namespace hone::frontend
