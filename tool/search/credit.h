// What a trial is worth to whoever proposed it, for the bandits.
//
// A verified gain over the best so far counts most; coming near the best counts a little. Being right counts as much as
// it is rare: where most replies fail the operators with more in their prompt (errors, parents, examples) are favored,
// where most are right the free ones that find more.
#pragma once

#include <deque>

#include "tool/model/verdict.h"

namespace hone::search {

class Credit {
 public:
  // 0 … about 1. `best`: the best speedup before, 1 when there is none.
  double of(const Verdict& verdict, double best) const;
  void count(bool right);
  double validity() const;  // share of the last ones that were right, as if two of four had been at first

 private:
  std::deque<bool> lately_;
};

}  // namespace hone::search
