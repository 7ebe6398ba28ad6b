// Which trials a prompt shows besides the parents: history, thoughts and failures.
//
// Duplicates are never shown: they say nothing new. Pure, deterministic by the Random.
#pragma once

#include <vector>

#include "tool/search/archive.h"
#include "tool/search/memory/portable_random.h"
#include "tool/search/search.h"
#include "tool/search/strategy.h"

namespace hone::search {

// best      the place's survivors
// spread    right trials at even steps from the slowest to the fastest (the original is one of them)
// recent    the last ones, right or not
// lineage   the first parent and its first parents in turn
// siblings  what came of the same parent
// `parents` are left out: a prompt shows them anyway. Not for Pick::node, which is drawn before (NodeMemory).
std::vector<unsigned> pick_history(const std::vector<Trial>& trials, const HistoryChoice& choice, const Place& place,
                                   const std::vector<unsigned>& parents);

// Thoughts of different trials, drawn alike; of trials in `but` never.
std::vector<unsigned> pick_insights(const std::vector<Trial>& trials, unsigned count, const std::vector<unsigned>& but,
                                    Random& random);

// The latest failures for different reasons, those of the place first; the latest last.
std::vector<unsigned> pick_errors(const std::vector<Trial>& trials, unsigned count, const Place& place,
                                  const std::vector<unsigned>& but);

// The original (where it counts as one) and what is right and no duplicate, by number.
std::vector<unsigned> right_trials(const std::vector<Trial>& trials);

}  // namespace hone::search
