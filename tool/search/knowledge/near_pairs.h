// Which of the kernels that earlier searches made faster are worth showing to who makes this one faster.
//
// By what the kernels do: the traits of their texts (classify()), without profile and machine, so that both are seen in
// the same way. Pure: the same pairs in any order and the same facts give the same choice.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/search/knowledge/knowledge.h"
#include "tool/search/verified_pair.h"

namespace hone::search {

// 0 (nothing in common) … 1: the cosine of the weights of their tags, of which shapes count twice. The instruction set
// does not count.
double likeness(const Traits& one, const Traits& other);

struct PairChoice {
  std::string key;               // of the kernel at hand
  bool own = false;              // what was found for this very kernel may be shown, too
  std::size_t most = 6;          // pairs
  std::size_t most_code = 6000;  // bytes of one pair: a page of each
  double least_likeness = 0.5;
};

// The likest and most gainful first: likeness² times the logarithm of the gain. CUDA for CUDA, and nothing in a
// language that the kernel's compiler would not take. Of one text the pair that gained most.
std::vector<VerifiedPair> near_pairs(std::vector<VerifiedPair> pairs, const TaskFacts& facts, const PairChoice& choice);

}  // namespace hone::search
