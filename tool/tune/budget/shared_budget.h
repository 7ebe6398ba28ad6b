// Several kernels that are tuned within one time: each search has a thread, and is served in slices (schedule.h).
//
// The time is a hard stop: what runs when it is up is stopped. A search that is suspended loses nothing, and one that
// is stopped leaves its journal. tune() is called once for each kernel, on a thread of its own, and must work through
// the Slice that it is given; run() returns when all have returned. Whoever waits is told through `served`, on any
// thread.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "tool/tune/trial/slice.h"

namespace hone::tune {

struct SharedBudget {
  double seconds = 0;
  std::vector<double> weights;  // of the kernels: what share of the run's time each takes, in any unit
  unsigned lanes = 1;           // searches that are served at once
};

using TuneInSlices = std::function<void(std::size_t kernel, Slice& slice)>;
using Served = std::function<void(std::size_t kernel, bool is_served)>;

// `stop`: the user's. Then no more slices are given, and each tune() ends by its own stop token.
void tune_within(const SharedBudget& budget, const TuneInSlices& tune, const Served& served, std::stop_token stop);

}  // namespace hone::tune
