// A team of threads is timed a second time, by processes whose threads sleep where they wait (OMP_WAIT_POLICY=passive).
// Why, and what each of the two timings is for: docs/decisions/0012. Pure.
//
// OpenMP's idle threads spin for a while by default, beside the calls and for longer than the calls where the machine
// is busy, and nothing tells that from work. Asleep, what a process still works beside its calls is the candidate's
// own.
#pragma once

#include "tool/bundle/bundle.h"
#include "tool/judge/time/timer.h"
#include "tool/statistics/statistics.h"

namespace hone::judge {

// Of what would be accepted, and of what is refused for nothing but work that may have been waiting.
bool needs_second_timing(const Timing& first);

// One look for work beside the calls, as long as the first timing took, so that nobody gets away with waiting for a
// later call; short in a trial, whose figure is measured again. The whole rule where the first timing was disturbed by
// such work, so that the second has to confirm it.
statistics::AcceptanceRule rule_of_second_timing(const Timing& first, const bundle::Plan& plan);

// What both come to: the misdeed is the second's, the figure the first's. Where the first was disturbed, faster is what
// both find so, and the figure is the lower one.
Timing weigh(Timing first, Timing second);

}  // namespace hone::judge
