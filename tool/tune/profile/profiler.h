// Profile feedback on one kernel's versions, for prompts: what the compiler did with the loops, what the innermost ones
// consist of, what is executed, and how near the measured times come to the roofline; of CUDA what a call does on the
// device by its counters, what ptxas says of the kernels, and what their machine code consists of.
//
// Each costs two more compiles in the sandbox, and a run under callgrind or ncu where that is installed; ncu, which
// takes longer than a judgment, is asked about what is nearly as fast as the fastest so far: prompts hardly show the
// rest. A version of which nothing can be said has an empty profile; it is never a reason to refuse it. The same
// version and verdict give the same text, but for a device's counters, which vary a little. Thread-safe as
// Evaluator::compile() is; facts and judge are borrowed.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "tool/model/candidate.h"
#include "tool/model/verdict.h"
#include "tool/search/brief.h"
#include "tool/search/strategy.h"
#include "tool/tune/profile/nearly_fastest.h"
#include "tool/tune/trial/evaluator.h"

namespace hone::tune {

struct Profile {
  std::string text;
  std::optional<DeviceProfile> counted;  // a device's counters, where they are in it
  std::string uncounted;                 // why they are not; "": they are, or there is no device
};

class Profiler {
 public:
  Profiler(const KernelSpec& spec, const search::TaskFacts& facts, Evaluator& judge, std::stop_token stop)
      : spec_(spec), facts_(facts), evaluator_(judge), stop_(std::move(stop)) {}

  Profile original(const Measurement& measurement) const;
  std::string original_as_compiled() const;  // what needs no device
  std::string operator()(const Candidate& candidate, const Verdict& verdict) const;

 private:
  Profile describe(const std::string& source, const std::string& achieved, bool nearly_fastest) const;
  void describe_on_processor(Profile& profile, const std::string& source) const;
  void describe_on_device(Profile& profile, const std::string& source) const;
  void count_on_device(Profile& profile, const std::string& source) const;

  const KernelSpec& spec_;
  const search::TaskFacts& facts_;
  Evaluator& evaluator_;
  std::stop_token stop_;
  std::shared_ptr<NearlyFastest> nearly_fastest_ = std::make_shared<NearlyFastest>();  // of all copies
};

// Does any prompt of the strategy show profiles?
bool shows_profiles(const search::Strategy& strategy);

}  // namespace hone::tune
