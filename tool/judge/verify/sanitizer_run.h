// Runs an object's kernels under compute-sanitizer: every tool in a process of its own, all at the same time, since
// each takes most of its time to start. The arrays are copies on the device's heap, which the tools know the ends of.
//
// Never touches the judge's own context. What the object does is in the reports; an Error is the machine's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/judge/data/case.h"
#include "tool/judge/process/runner.h"
#include "tool/judge/verify/compute_sanitizer.h"
#include "tool/model/kernel_spec.h"
#include "tool/os/files/clock.h"

namespace hone::judge {

struct SanitizerRun {
  std::string tool;
  std::optional<ComputeSanitizerFinding> finding;
  std::string silence;  // what it said instead of coming to its summary, twice; "": it did
  double seconds = 0;   // wall, of the last run
};

struct SanitizerRunOptions {
  std::string program;          // find_compute_sanitizer()'s
  RunnerOptions runner;         // `under` is filled in here
  std::string device_uuid;      // whose timings the tools take turns with; "": nobody's
  std::vector<int> processors;  // empty: wherever
  std::vector<std::string> tools{std::begin(compute_sanitizer_tools), std::end(compute_sanitizer_tools)};
  double timeout_seconds = 10;  // of one call
  double budget_seconds = 2;    // no case is begun after
  std::uint64_t seed = 0;
  const os::Clock& clock;
};

// In the tools' order.
Result<std::vector<SanitizerRun>> run_sanitizers(const KernelData& spec, const std::string& object,
                                                 const std::vector<Case>& cases, const SanitizerRunOptions& options);

}  // namespace hone::judge
