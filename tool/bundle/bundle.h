// What is sent to hone-worker (stdin) and what comes back (stdout): an executor is a command that turns one into the
// other.
//
// A bundle is self-contained: the description of the kernel's data, the objects to load, and the plan. It goes to
// another machine without the source, the compiler or LLVM. Format: JSON header, then the blobs; parse() checks every
// length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/bundle/given.h"
#include "tool/model/device_profile.h"
#include "tool/model/device_rates.h"
#include "tool/model/execution_counts.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/verdict.h"
#include "tool/statistics/statistics.h"

namespace hone::bundle {

// reference: judge the original against itself: deterministic, clean under the sanitizers, in bounds, oracle not
// fooled. candidate: verify, then time.  measure: time only (a fresh measurement of a winner).  count: neither; what
// one call of the candidate executes is counted, or what it does on a device.  verify: a candidate, but not timed: is
// it right?
enum class Task { reference, candidate, measure, count, verify };

// How much of a judgment's time goes into verification. trial: one of many candidates of a search.  thorough: one that
// somebody asks about.  held_out: a winner, also on sizes that no trial is given.
enum class Depth { trial, thorough, held_out };

struct Plan {
  Task task = Task::candidate;
  Depth depth = Depth::trial;
  bool finite_math = false;        // built with -ffinite-math-only: nothing is promised about NaN and infinities
  bool flushes_denormals = false;  // built with what allows that
  std::uint64_t seed = 0;          // drawn by the sender from the system's entropy; the candidate can't know it
  statistics::AcceptanceRule rule;
  bool wants_rates = false;  // the verdict should say what the device can do at best
  double timeout_seconds =
      10;  // for one call of the kernel on one problem (the worker scales it to the reference's time)
  std::size_t memory_bytes = 0;  // for all buffers of one problem; 0: half of what the machine has
  // LD_PRELOAD for the sanitized and the race-checked objects; "": what they name as needed ("libasan.so.8").
  std::string sanitizer_preload;
  std::string race_preload;
  // The preload for the candidate's sanitized object, where another compiler built it; "": the same.
  std::string candidate_sanitizer_preload;
  std::string candidate_race_preload;
  std::vector<std::string> library_folders;  // of shared libraries that the objects need, beyond the system's
  std::vector<Given> given;                  // cases beside the drawn ones: tried first
  std::vector<long long> constants;          // that the candidate's text names: sizes are tried at them
  bool may_allocate = true;  // on a device: calls may find what was freed there, so that it is filled anew
};

struct Bundle {
  KernelIdentity kernel;
  KernelData data;
  Plan plan;
  std::string reference;            // ELF shared objects
  std::string candidate;            // may be empty for Task::reference
  std::string sanitized_reference;  // built with ASan and UBSan
  std::string sanitized_candidate;
  std::string race_checked_reference;  // built with ThreadSanitizer, where the kernel may have threads
  std::string race_checked_candidate;  // or empty; of CUDA with pauses (race_pauses.h)
  std::string precise_reference;       // the original in higher precision (double for float); may be empty
  KernelData precise_data;             // of precise_reference: as `data`, with wider element types
};

// What a worker answers: a verdict, and what it found out beside it where it was asked and where it could.
struct Answer : Verdict {
  std::optional<DeviceRates> rates;       // Plan::wants_rates, of the device that it judged on
  std::optional<ExecutionCounts> counts;  // Task::count, of what runs on a processor
  std::optional<DeviceProfile> profile;   // Task::count, of what runs on a device
};

std::string serialize(const Bundle& bundle);
Result<Bundle> parse_bundle(std::string_view bytes);

// A verdict by itself. Parsing checks it for sense (finite figures, samples in pairs, stages that go together) and
// takes what no terminal should see out of its texts; whether it is true is the reader's to know (answer.h).
std::string serialize(const Verdict& verdict);
Result<Verdict> parse_verdict(std::string_view bytes);

}  // namespace hone::bundle
