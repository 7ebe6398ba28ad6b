// What one call may find on a CUDA device of the call before it: shared memory, registers and local memory of a
// multiprocessor, and memory that was freed. All of it is filled anew between two calls.
//
// In the runner's process, on the current context; no C++ runtime. Where the driver does not take the kernel, nothing
// is filled: a device that is too old for it. Not filled: the heap of malloc() in device code.
#pragma once

#include <stdint.h>

#include "tool/cuda/driver.h"

namespace hone::runner {

// Waits for the device. nullptr, or why what ran on it before has failed. Not thoroughly: a sample that is timed waits
// for it, so that freed memory has its turn now and then only.
const char* scrub_device(const cuda::Driver& driver, CUdevice device, uint64_t key, bool thoroughly);

}  // namespace hone::runner
