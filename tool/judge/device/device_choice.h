// Which of a machine's CUDA devices judges a bundle: judgments that run at once spread over them. And how a runner is
// told which.
#pragma once

#include <string>
#include <vector>

#include "tool/judge/device/device.h"
#include "tool/judge/machine/turn_lock.h"

namespace hone::judge {

struct DeviceChoice {
  int device = 0;
  TurnLock claim;  // others see that one more judges there, until this is gone
};

// One at which the fewest judge, the first of those; across all processes of the machine. `uuids`: the devices', in the
// driver's order; there may be none.
DeviceChoice choose_device(const std::vector<std::string>& uuids);

// A device that the judge sees as one of `devices`, under its own CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER (null: not
// set). What stands in the list is handed on as it is, since a UUID of the driver's does not name a part of a GPU.
RunnerDevice runner_device(int number, int devices, const std::string& uuid, const char* visible, const char* order);

}  // namespace hone::judge
