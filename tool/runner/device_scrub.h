// What one call may find on a CUDA device of the call before it: shared memory, registers and local memory of a
// multiprocessor, and memory that was freed. All of it is filled anew between two calls.
//
// In the runner's process, on the current context; no C++ runtime. Where the driver does not take the kernel, nothing
// is filled: a device that is too old for it. Not filled: the heap of malloc() in device code.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tool/cuda/driver.h"

namespace hone::runner {

struct Scrubbing {
  uint64_t key;       // what everything is filled with follows from it
  bool thoroughly;    // else a sample that is timed waits for it, so that freed memory has its turn now and then only
  bool freed;         // memory that was freed, too
  size_t call_bytes;  // of the next call's arrays
};

// Waits for the device. nullptr, or why what ran on it before has failed.
const char* scrub_device(const cuda::Driver& driver, CUdevice device, const Scrubbing& scrubbing);

}  // namespace hone::runner
