// What of a tuning's time the search leaves: for choosing among the best, reducing the winner and measuring it afresh.
//
// As long as nothing is found there is little to keep time for. Where the best may turn out slower on one of its
// problems, time is kept for a second measurement: of a choice by size in front of it, or of the next best. All times
// are in seconds; `planned` is the whole of the kernel's time, which may change while it is tuned.
#pragma once

#include "tool/model/verdict.h"

namespace hone::tune {

class FinalsReserve {
 public:
  // `found`: something that could be measured is known before the search.
  explicit FinalsReserve(bool found = false) : found_(found) {}

  // The longest judgment tells what the winner's own takes.
  void judged(double seconds, const Verdict& verdict);

  double to_measure(double planned) const;        // the winner
  double to_measure_again(double planned) const;  // what comes in its place; 0 where it is in no doubt
  double to_reduce(double planned) const;
  double to_choose(double planned) const;  // to judge a choice by size; 0 where none is worth it
  double kept(double planned) const;       // in all, while the search runs

 private:
  bool found_;
  double longest_ = 0;
  double best_ = 1;        // speedup
  double promised_ = 1;    // by a choice by size in front of what is slower on some problems
  bool doubtful_ = false;  // the best may be slower on one problem
};

}  // namespace hone::tune
