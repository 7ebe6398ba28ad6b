// Which of a machine's CUDA devices judges a bundle: judgements that run at once spread over them.
#pragma once

#include <string>
#include <vector>

#include "tool/evaluate/device_lock.h"

namespace hone::evaluate {

struct DeviceChoice {
  int device = 0;
  DeviceLock claim;  // others see that one more judges there, until this is gone
};

// One at which the fewest judge, the first of those; across all processes of the machine. `uuids`: the devices', in the
// driver's order; there may be none.
DeviceChoice choose_device(const std::vector<std::string>& uuids);

}  // namespace hone::evaluate
