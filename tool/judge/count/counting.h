// What one call of a candidate executes (callgrind), or does on a device (ncu): for whoever wants to know where the
// time goes. No part of any verdict. Where it cannot be had, `reason` says why; an Error is the machine's fault.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/judge/ground/ground.h"
#include "tool/judge/process/runner.h"
#include "tool/judge/verify/verifier.h"
#include "tool/model/device_profile.h"
#include "tool/model/execution_counts.h"
#include "tool/model/kernel_spec.h"

namespace hone::judge {

struct Counting {
  std::optional<ExecutionCounts> counts;
  std::optional<DeviceProfile> profile;
  std::string reason;  // a sentence, of what was counted too
  std::string report;  // what the tool and the process said
};

struct CountingOptions {
  std::string runner;  // hone-runner's absolute path
  unsigned threads = 1;
  std::vector<std::string> libraries;  // folders of shared libraries that the object needs, beyond the system's
  std::size_t argument_bytes = 0;      // that the runner may have mapped at once
  std::vector<int> processors;         // of the process on a device
  std::uint64_t seed = 0;
};

Result<Counting> count_on_processor(const std::string& object, Verifier& verifier, const CountingOptions& options);

// Others may use the device until the one call is counted: what they move would be counted with it.
Result<Counting> count_on_device(const KernelData& spec, const std::string& object, Verifier& verifier, Ground& ground,
                                 const CountingOptions& options);

}  // namespace hone::judge
