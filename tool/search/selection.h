// Which of the survivors become parents.
//
//   rank     p ∝ 1/(rank + N), rank from 1 for the best of N (EvoEngineer, EoH)
//   sigmoid  p ∝ sigmoid(10·(fitness − median)/MAD) / (1 + children) (ShinkaEvolve)
//   uniform  all alike
//   best     the first ones
//
// Parents are distinct: a crossover of one program with itself asks for nothing. Deterministic by the Random.
#pragma once

#include <functional>
#include <vector>

#include "tool/search/memory/portable_random.h"
#include "tool/search/population.h"
#include "tool/search/strategy.h"

namespace hone::search {

// How many children a trial has had.
using Offspring = std::function<unsigned(unsigned trial)>;

// `members` best first; the result slowest first, fewer than `count` when there are no more. `pressure` is the exponent
// of the weights: 0 makes all alike, 2 favors the good ones more.
std::vector<unsigned> select_parents(const std::vector<Population::Member>& members, std::size_t count,
                                     Selection selection, double pressure, const Offspring& offspring, Random& random);

}  // namespace hone::search
