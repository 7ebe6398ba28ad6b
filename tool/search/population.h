// Who survives, and who is chosen as a parent: the half of a strategy that looks at verdicts and never at code.
//
// Candidates are ranked: right ones by their measured speedup (a slower one too), then failing ones by how far they
// came. Pure and deterministic by the Random that is passed in. Holds numbers of trials; whoever owns it holds the
// trials.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tool/model/verdict.h"
#include "tool/search/memory/portable_random.h"
#include "tool/search/strategy.h"

namespace hone::search {

// Greater is better: above zero for right candidates (the median speedup), below for failing ones.
double fitness(const Verdict& verdict);

class Population {
 public:
  struct Member {
    unsigned trial = 0;
    double fitness = 0;
  };

  virtual ~Population() = default;
  virtual void add(unsigned trial, const Verdict& verdict) = 0;
  virtual const std::vector<Member>& survivors() const = 0;  // best first

  // Distinct trials, best first; fewer than `count` when there are no more. Rank selection: p ∝ 1/(rank + N), with rank
  // from 1 for the best and N survivors (EvoEngineer).
  std::vector<unsigned> choose(unsigned count, Random& random) const;
};

std::vector<std::string> population_names();
std::unique_ptr<Population> make_population(const Strategy& strategy);  // asserts that the name is one of these

}  // namespace hone::search
