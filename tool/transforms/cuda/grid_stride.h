// Where the items of a kernel end: what a loop by whole grids goes up to.
#pragma once

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

// The condition that bounds the index along x (i < n) and does not hold again once it does not; null: there is none.
const ItemCondition* end_of(const DeviceKernel& kernel);

}  // namespace hone::frontend
