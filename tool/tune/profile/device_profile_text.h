// A device's counters of a call, as lines for a prompt. Pure.
//
// The line that names the bottleneck ("- memory-bound: …") is also what the memory across kernels and the notes go by
// (tool/search/knowledge/classify.cpp), as are "scattered", "bank conflicts" and "diverge".
#pragma once

#include <string>

#include "tool/model/device_profile.h"

namespace hone::tune {

// What limits it, then a few lines for each of the kernels that take at least a twentieth of the time.
std::string counted_on_device(const DeviceProfile& profile);

}  // namespace hone::tune
