// Sizes to judge on beside the small ones of other_sizes.h: each residue that a vector, a tile or an unrolled loop may
// leave, and sizes beyond the declared ones and around thresholds (a buffer for rows of 512, counters of 16 bits),
// crossed by dimension: high and narrow, wide and low.
//
// Which scalars are sizes, the caller says. Small sizes (channels, a radius) keep what the problem has. What does not
// fit into memory, or takes too long, the caller leaves out. Pure: one seed gives one list.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tool/judge/data/other_sizes.h"
#include "tool/judge/data/scalar_plan.h"

namespace hone::judge {

inline constexpr unsigned residues = 64;  // of the widest vectors of bytes, and of tiles that people write

// So many cases, in which each size has each residue once, each in an order of its own. `tied`: sizes that the problem
// declares equal stay equal, for originals that take squares alone.
std::vector<OtherSizes> residue_sizes(const KernelData& spec, const Case& declared, const Sizes& sizes, bool tied,
                                      std::uint64_t seed);

// A size of its own, and how many times the declared problem's work it is, if the work is the product of the sizes.
struct LargeSize {
  OtherSizes size;
  double work = 1;
  double longest = 1;  // times its declared value, of the size that grew most: a sum may be as much longer
  bool first = false;  // tried however busy the machine is, where time is not everything
};

// One dimension large, the others small, the most telling first; then the declared sizes in other dimensions' places,
// and one dimension large with the others as declared. `constants`: of the texts, in any order; sizes are tried at some
// of them.
std::vector<LargeSize> large_sizes(const KernelData& spec, const Case& declared, const Sizes& sizes,
                                   const std::vector<long long>& constants, std::uint64_t seed);

// The only size over so many: more blocks than a narrow number of theirs tells apart. nullopt: there are none or
// several (a grid's second and third directions end sooner, and honest tiles with them), or the declared one is as
// large.
std::optional<LargeSize> vast_size(const KernelData& spec, const Case& declared, const Sizes& sizes, long long over,
                                   std::uint64_t seed);

// Sizes for data by pattern (ties, sorted keys): a counter of 8 or 16 bits overflows there, or the work grows. After
// each size the same with each other integer as large as that (how long a match may be), since data allow it now.
std::vector<OtherSizes> crowded_sizes(const KernelData& spec, const Case& declared, const Sizes& sizes,
                                      const std::vector<long long>& constants, std::uint64_t seed);

}  // namespace hone::judge
