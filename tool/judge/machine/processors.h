// Which processors time and which verify: a timing on its own is disturbed least.
#pragma once

#include <vector>

#include "tool/judge/machine/turn_lock.h"

namespace hone::judge {

// The processors that this process may run on.
std::vector<int> allowed_processors();
void run_this_thread_on(const std::vector<int>& processors);

// The last ones are for timing single-threaded kernels, the others for everything else (all, where there is but one).
struct Processors {
  std::vector<int> all, working, timing;
};
// As many for timing as there may be timings at once, but at most a quarter of all, and one at least.
Processors divide(std::vector<int> allowed, unsigned timings);
// Timings take turns on a device, and on the processors: one for each of the machine's GPUs, and one at least.
unsigned most_timings_at_once();

// One on which nobody else on this machine times until the claim is gone: those on two GPUs would disturb each other on
// one processor. The last where all are taken; without a claim where there is nothing to choose.
struct TimingProcessor {
  std::vector<int> processor;  // none where the system names none
  TurnLock claim;
};
TimingProcessor claim_timing_processor(const Processors& processors);

}  // namespace hone::judge
