// A recorded run judged again: its candidates are compiled, verified and timed here and now, in the recorded order.
//
// The search itself saw the recorded verdicts (script.h), so that the same recording always gives the same candidates;
// what is accepted is decided by the verdicts of this run alone.
#pragma once

#include <functional>

#include "tool/report/progress.h"
#include "tool/tune/deadline.h"
#include "tool/tune/journal.h"
#include "tool/tune/judge.h"
#include "tool/tune/script.h"
#include "tool/tune/search_outcome.h"

namespace hone::tune {

SearchOutcome judge_again(const Played& played, Judge& judge, Journal& journal, report::Progress& progress,
                          SearchLimits limits, unsigned jobs, Deadline& deadline,
                          const std::function<void(double)>& judged);

}  // namespace hone::tune
