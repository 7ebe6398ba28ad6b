// Other sizes than the declared ones to verify on: 0, 1, primes, one more and one less, no multiples of a vector.
//
// Only integer, bool and enum scalars that a problem assigns are changed; what is equal in all problems mostly stays
// equal, so that square things stay square. Pure: one seed gives one list.
#pragma once

#include <cstdint>
#include <vector>

#include "tool/judge/data/case.h"
#include "tool/model/kernel_spec.h"

namespace hone::judge {

struct OtherSizes {
  unsigned problem = 0;
  std::vector<Override> overrides;
};

// `scalars`: of each problem, as declared. At most `count`, without repetition, small ones.
std::vector<OtherSizes> other_sizes(const KernelData& spec, const std::vector<std::vector<runner::Scalar>>& scalars,
                                    unsigned count, std::uint64_t seed);

// The problem with every size one less, and one more, two less …, up to `reach`.
std::vector<OtherSizes> neighbors(const KernelData& spec, const std::vector<runner::Scalar>& scalars, unsigned problem,
                                  unsigned reach);

// Sizes anywhere between one and the declared, small ones as often as large ones. No trial of a search gets them.
std::vector<OtherSizes> held_out_sizes(const KernelData& spec, const std::vector<std::vector<runner::Scalar>>& scalars,
                                       unsigned count, std::uint64_t seed);

// By how many elements arguments that may overlap are shifted against each other; none where all are drawn, or where
// nothing would overlap any more.
std::vector<long long> shifts(const KernelData& spec, const Case& c);

}  // namespace hone::judge
