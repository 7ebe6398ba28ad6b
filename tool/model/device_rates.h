// What a CUDA device was measured to do at best, on the device itself: the roofline that its kernels are held against.
// With it go the device's limits, since both are asked for where the judge runs and told in prompts.
#pragma once

#include <string>

#include "tool/model/device_limits.h"

namespace hone {

// Multiplications and additions a second; 0: not measured, where the device lacks them or its driver translates
// nothing.
struct DeviceRates {
  std::string device;  // "NVIDIA H200"
  double copied = 0;   // bytes a second that a copy within its memory reads and writes in sum
  double on_float = 0;
  double on_double = 0;
  double on_half = 0;          // in pairs
  double on_tensor_cores = 0;  // products of half precision summed in float, by mma.sync
  DeviceLimits limits;
  bool operator==(const DeviceRates&) const = default;
};

}  // namespace hone
