// Other values for scalars that are no sizes: factors, thresholds, modes. A candidate that writes a problem's value
// down in place of the parameter must show.
//
// Which scalars are sizes, the caller says. A scalar that is fixed keeps what it has; one that init() gives a range gets
// the ends of that. Some values are no case (a division by zero): that shows when the original runs on them. Pure: one
// seed gives one list.
#pragma once

#include <cstdint>
#include <vector>

#include "tool/judge/data/case.h"
#include "tool/model/kernel_spec.h"

namespace hone::judge {

// By parameter: does an extent, or the range of an index, change with it?
using Sizes = std::vector<bool>;

// near: values of the same order, zero, one, and the same with the other sign.  far: integers beyond 8 and 16 bits,
// and the ends of their type, too, on which arithmetic may overflow in the original.
enum class Reach { near, far };

// Each of them for all scalars at once first, then for one scalar at a time. `like`: has the declared values.
std::vector<std::vector<Override>> other_scalars(const KernelData& spec, const Case& like, const Sizes& sizes,
                                                 Reach reach, std::uint64_t seed);

// All that init() gives a range and no problem a value: at the upper ends of their ranges, and at the lower ones. None
// where there are none.
std::vector<std::vector<Override>> scalar_corners(const KernelData& spec, const Case& like, const Sizes& sizes);

// Integers among them.
std::vector<unsigned> other_integers(const KernelData& spec, const Case& like, const Sizes& sizes);

// Is a scalar much larger than declared? What is added to it then loses digits, in the original as well.
bool is_far_larger(const KernelData& spec, const Case& declared, const std::vector<Override>& others);

// The overrides that set sizes.
std::vector<Override> sizes_of(const std::vector<Override>& overrides, const Sizes& sizes);

// The case with each floating scalar that may vary a few units in its last place larger: how a result changes then
// tells how much an honest candidate's may differ. nullopt: there is none.
std::optional<Case> nudged(const KernelData& spec, const Case& c);

}  // namespace hone::judge
