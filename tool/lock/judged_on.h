// What a kernel was judged on: provenance for a record, never part of a key.
#pragma once

#include <string>

#include "tool/model/kernel_spec.h"
#include "tool/model/verdict.h"

namespace hone::lock {

std::string processor_name();  // "AMD EPYC 9B14, 2 cores"

// The device that a CUDA kernel is judged on: the first here and its driver, "NVIDIA H200 (sm_90), driver of
// CUDA 13.0", or words for one that is
// elsewhere.
std::string device_name(const KernelData& spec, bool here);

// The architecture that a CUDA kernel is judged on, "sm_90", where all devices that may judge it are known to be of it;
// else "".
std::string device_architecture(const KernelData& spec, bool here);

// The same once the original was judged: elsewhere its verdict tells, which may go to a device of another kind later.
std::string device_architecture(const KernelData& spec, bool here, const Verdict& original);

}  // namespace hone::lock
