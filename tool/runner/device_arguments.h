// A runner's side of memory on a CUDA device: maps what the judge lends, calls on copies for the sanitizers, waits for
// the device. In the runner's process and with no C++ runtime; every function gives nullptr, or why it failed.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tool/runner/device_scrub.h"
#include "tool/runner/protocol.h"

namespace hone::runner {

// Two stretches of device memory, lent as descriptors: inputs, mapped read-only, and outputs.
struct Lent {
  uint64_t handles[2];
  uint64_t addresses[2];  // of the mapping
  uint64_t bases[2];      // of the reserved addresses around it, where nothing else ever lies
  size_t bytes[2];
};

const char* open_device(int number);
bool has_device();

const char* map_lent(const int* files, const uint64_t* bytes, Lent& lent);
void unmap_lent(Lent& lent);

// A block of its own, exactly as long, for compute-sanitizer.
const char* allocate_on_device(size_t bytes, uint64_t& address);
void free_on_device(uint64_t address);
const char* copy_to_device(uint64_t to, const void* from, size_t bytes);
const char* copy_from_device(void* to, uint64_t from, size_t bytes);

// Around a call as a caller may make it: its stream (`on_stream`: device_stream(), else CUDA's default one) is busy
// when the call begins, what the outputs hold first comes only behind that, and its next work on the stream reads them.
// What that finds stands in the outputs in the end, and nothing else: work that is not in the stream's order is lost.
const char* begin_in_order(uint64_t outputs, size_t bytes, bool on_stream);
const char* end_in_order(uint64_t outputs, size_t bytes, bool on_stream);

// For around launches that are to be counted by a profiler that runs this process; without a profiler nothing happens.
void start_profiler();
void stop_profiler();

// Around a call that is looked at closely; it ends when the call's work is done.
void begin_device_balance();
void end_device_balance(Balance& balance);

const char* wait_for_device();  // for everything on it, whatever the stream
// Takes the device's attention from the other process, and what it may have left behind: lines that persist in the
// cache.
const char* wake_device();
// Fills anew what a call finds on the device of the one before (device_scrub.h).
const char* renew_device(const Scrubbing& scrubbing);
void* device_stream();  // the one that kernels with a stream parameter are called on

}  // namespace hone::runner
