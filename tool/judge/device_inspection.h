// The tools for kernels that run on a CUDA device: compute-sanitizer, a copy of the candidate whose warps pause at
// barriers, ncu.
#pragma once

#include <string>

#include "tool/bundle/bundle.h"
#include "tool/judge/ground/device_ground.h"
#include "tool/judge/inspection.h"
#include "tool/judge/machine/processors.h"
#include "tool/judge/process/subject_start.h"
#include "tool/os/files/clock.h"

namespace hone::judge {

class DeviceInspection final : public Inspection {
 public:
  struct Setup {
    const bundle::Bundle& bundle;
    const Processors& processors;
    const os::Clock& clock;
    DeviceGround& ground;
    std::string runner;  // hone-runner's absolute path
    StartSubject start;
  };
  // What the setup refers to is borrowed.
  explicit DeviceInspection(Setup setup);

  Result<Inspected> look_for_errors(const InspectedKernel& kernel) override;
  std::string last_tool() const override { return "compute-sanitizer"; }
  Result<Inspected> ask_last_tool(const InspectedKernel& kernel) override;
  Result<Counting> count(const InspectedKernel& kernel) override;

 private:
  Result<void> look_for_races(const InspectedKernel& kernel, Inspected& inspected);

  const Setup setup_;
};

}  // namespace hone::judge
