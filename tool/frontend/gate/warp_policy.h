// Lanes of a warp that have returned and are added up all the same.
//
// `if (lane >= n) return;` and then `sum += __shfl_down_sync(0xffffffff, sum, 16);` reads what lanes hold that are
// gone, which CUDA does not define. It may come out right on the judge's device and wrong on the next;
// compute-sanitizer does not see it. Found is the plain form alone: a return that some lanes take, a mask of all lanes
// behind it, and what comes from the lanes above put into the variable that is given to them. What is looked at before
// it is used, is let through. Pure.
#pragma once

#include <optional>

#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/parse/parse.h"

namespace hone::frontend {

// Of the candidate's functions for a device.
std::optional<Objection> object_to_lanes_that_left(const Parsed& parsed);

// Does the user's own code do so? Then its candidates may.
bool reads_lanes_that_left(const Parsed& parsed);

}  // namespace hone::frontend
