// One more candidate where a search ended with one that is slower on some problems: a choice by size in front of it.
// The built-in search asks for such choices itself, as long as it goes on; a model's never does.
//
// Borrows everything.
#pragma once

#include <optional>

#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

// Judged as a trial. nullopt: it cannot be written, or the time ended. In the journal before it counts.
std::optional<Accepted> choice_in_front(const TuningTask& task, Evaluator& evaluator, Journal& journal,
                                        const Accepted& mixed, const Deadline& whole);

}  // namespace hone::tune
