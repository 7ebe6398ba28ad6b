// What two programs differ in, coarsely: the axes of a MAP-elites grid, and the distance by which starts are clustered.
//
// Words in the text stand for techniques; that is a guess, which spreads the search and decides nothing. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tool/model/candidate.h"
#include "tool/model/verdict.h"
#include "tool/search/strategy.h"

namespace hone::search {

using Cell = std::vector<std::string>;  // one coordinate a feature

// length: doublings of the text; speed: steps of a quarter; technique: "simd+threads"; operator: its name.
Cell cell_of(std::span<const Feature> features, const Candidate& candidate, const Verdict& verdict);

std::size_t distance(const Cell& one, const Cell& other);  // coordinates that differ

}  // namespace hone::search
