// A candidate that is faster on some problems and slower on others, and what it would be worth if the latter kept the
// original. Pure.
#pragma once

#include <vector>

#include "tool/model/verdict.h"

namespace hone {

struct MixedGain {
  std::vector<int> slower;  // problems, numbered from 0, as a choice by size wants them
  double promised = 1;      // speedup over all problems, if those keep the original
  // Whether a choice is worth a trial beside what is `known`, a speedup. Never where nothing is slower.
  bool is_worth_it(double known) const;
};

// Of a right candidate.
MixedGain mixed_gain(const Measurement& measurement);

}  // namespace hone
