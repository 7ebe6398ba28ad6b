// The kernel that fills what a multiprocessor keeps from one kernel to the next, as text for the driver: entry
// `scrub(unsigned key, unsigned shared_bytes)`, for blocks of scrub_threads. Pure.
#pragma once

namespace hone::runner {

extern const char scrub_ptx[];
constexpr unsigned scrub_threads = 512;

}  // namespace hone::runner
