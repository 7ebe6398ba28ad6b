// A recorded run judged again: its candidates are compiled, verified and timed here and now, in the recorded order.
//
// The search itself saw the recorded verdicts (replay.h), so that the same recording always gives the same candidates;
// what is accepted is decided by the verdicts of this run alone.
#pragma once

#include <functional>

#include "tool/report/progress.h"
#include "tool/tune/model/replay.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/search_outcome.h"

namespace hone::tune {

// What the search asked and what the replies came to, as JSON lines: the same for the same recording, byte for byte.
//   {"ask": 3, "operator": "mutation", "digest": "…", "prompt": [ … ]}
//   {"candidate": 2, "request": 3, "name": "…", "source": "…"}          source: "" where the reply held no code
std::string transcript(const Played& played);

// Puts what the recorded search started from before its trials, to be judged like them.
void prepend_seeds(const RecordingHeader& header, Played& played);

SearchOutcome judge_again(const Played& played, Evaluator& judge, Journal& journal, report::Progress& progress,
                          SearchLimits limits, Parallel parallel, Deadline& deadline,
                          const std::function<void(double)>& judged);

}  // namespace hone::tune
