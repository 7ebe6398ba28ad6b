// One call of an object's kernels under ncu, which reads the device's counters of each launch. A call of the same
// before it, which is not counted, leaves nothing to be loaded or set up in the one that is.
//
// The arrays are copies on the device's heap: ncu runs a kernel several times and puts back what it wrote in between,
// which it may not do to memory that the judge lends for reading only. For prompts; no part of any verdict. What the
// object does is data; an Error is the machine's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/judge/data/case.h"
#include "tool/judge/process/runner.h"
#include "tool/model/device_profile.h"
#include "tool/model/kernel_spec.h"

namespace hone::judge {

struct DeviceProfiling {
  std::optional<DeviceProfile> profile;
  std::string silence;  // why there is none, as a sentence's end
  std::string report;   // all that ncu and the process said
};

struct DeviceProfilerOptions {
  std::string program;          // find_ncu()'s
  RunnerOptions runner;         // `under` and what goes with it are filled in here
  std::vector<int> processors;  // empty: wherever
  double timeout_seconds = 30;  // of one call; who times waits meanwhile
  std::uint64_t seed = 0;
  std::function<void()> alone = [] {};  // called before the counted call: from then on nobody else uses the device
};

Result<DeviceProfiling> profile_on_device(const KernelData& spec, const std::string& object, const Case& c,
                                          const DeviceProfilerOptions& options);

}  // namespace hone::judge
