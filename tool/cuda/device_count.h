// Whether this machine has CUDA devices, before anything is compiled for one.
//
// Asks NVIDIA's driver, without a context: nothing of a device is taken. Once per process; thread-safe.
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"

namespace hone::cuda {

// "NVIDIA H200 (sm_90)", in the driver's order. Error: there is no driver or no device, and what to do.
const Result<std::vector<std::string>>& cuda_devices();

// What the driver offers: "CUDA 13.0"; "": there is none.
const std::string& driver_version();

// "sm_90" where all of `devices` have that architecture, named as above; "": they differ, or there are none.
std::string common_architecture(const std::vector<std::string>& devices);

}  // namespace hone::cuda
