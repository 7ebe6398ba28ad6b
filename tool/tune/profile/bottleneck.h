// What limits a CUDA kernel, from its counters: one class, and the figures that say so. Pure.
//
// The borders are those of Nsight Compute's own rules (its sections/SpeedOfLight.py and its kin, 2020 to 2026), as far
// as they have them; bottleneck.cpp says where the others come from. They order and explain, and decide nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/model/device_profile.h"

namespace hone::tune {

enum class Limit {
  launch,     // launches too short to be worth one, or too few blocks for the device
  memory,     // device memory, a cache or the way there is busy
  compute,    // a pipe of the multiprocessors is busy, or the issue of instructions
  occupancy,  // nothing is busy, and few warps are there
  latency,    // nothing is busy, and the warps that are there wait
};
const char* to_string(Limit limit);

struct Bottleneck {
  Limit limit = Limit::latency;
  std::string why;
};

// Of the kernel that takes most of the call. nullopt: the counters that would tell are not there.
std::optional<Bottleneck> find_bottleneck(const DeviceProfile& profile);

// What a warp waits for, the longest first: "71% for data of global or local memory"; of those of at least a tenth.
struct Stall {
  const char* on;    // "data of global or local memory"
  double share = 0;  // of the cycles between two instructions
};
std::vector<Stall> stalls(const LaunchCounters& kernel);

// "shared memory (2 blocks)": what keeps more blocks from a multiprocessor. "": unknown, or no more warps would fit.
std::string occupancy_limiter(const LaunchCounters& kernel);

}  // namespace hone::tune
