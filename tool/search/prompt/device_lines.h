// A CUDA device's limits as lines for a prompt; what is not known is left out. Pure.
#pragma once

#include <string>
#include <vector>

#include "tool/model/device_limits.h"

namespace hone::search {

std::vector<std::string> device_lines(const DeviceLimits& device);

}  // namespace hone::search
