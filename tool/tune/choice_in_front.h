// A choice by size in front of a candidate that is slower on some problems: where a search ended with one, and where
// the finals refute one for it. The built-in search asks for such choices itself, as long as it goes on; a model's
// never does.
//
// Borrows everything.
#pragma once

#include <optional>
#include <stop_token>

#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

// Written, not judged: its verdict is `mixed`'s own. nullopt: it cannot be written.
std::optional<Accepted> with_choice(const TuningTask& task, const Accepted& mixed, std::stop_token stop);

// Judged as a trial. nullopt: it cannot be written, or the time ended. In the journal before it counts.
std::optional<Accepted> choice_in_front(const TuningTask& task, Evaluator& evaluator, Journal& journal,
                                        const Accepted& mixed, const Deadline& whole);

}  // namespace hone::tune
