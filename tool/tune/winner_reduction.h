// The Reducer on a tuning's winner: by its genome where the built-in proposer wrote it, else by its statements.
#pragma once

#include <optional>
#include <vector>

#include "tool/report/progress.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

// `others`: what else the search found. nullopt: it is not this search's, so that it was reduced when it was found, or
// there is no time. Ends by `share`.
std::optional<Accepted> reduced(const TuningTask& task, Evaluator& evaluator, Journal& journal, const Accepted& winner,
                                const std::vector<Accepted>& others, const Deadline& share);

}  // namespace hone::tune
