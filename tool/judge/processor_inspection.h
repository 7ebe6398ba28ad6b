// The tools for kernels that run on the processors: AddressSanitizer with UndefinedBehaviorSanitizer, ThreadSanitizer
// or other schedules in its place, callgrind.
#pragma once

#include <string>

#include "tool/bundle/bundle.h"
#include "tool/judge/inspection.h"
#include "tool/judge/machine/processors.h"
#include "tool/judge/process/subject_start.h"

namespace hone::judge {

class ProcessorInspection final : public Inspection {
 public:
  // `runner`: hone-runner's absolute path. The rest is borrowed.
  ProcessorInspection(const bundle::Bundle& bundle, const Processors& processors, std::string runner,
                      StartSubject start);

  Result<Inspected> look_for_errors(const InspectedKernel& kernel) override;
  std::string last_tool() const override { return ""; }
  Result<Inspected> ask_last_tool(const InspectedKernel&) override { return Inspected(); }
  Result<Counting> count(const InspectedKernel& kernel) override;

 private:
  // The subject's object and the original's, in one kind of sanitized process.
  struct Sanitized {
    Sanitizers kind;
    const std::string& subject;
    const std::string& original;
    const char* name;  // "the sanitizers"
    decltype(&SanitizedPasses::verify_sanitized) verify;
  };
  // Whether they could be used; what was found goes into `inspected`.
  Result<bool> run_sanitized(const InspectedKernel& kernel, const Sanitized& with, Inspected& inspected);
  Result<void> look_for_memory_errors(const InspectedKernel& kernel, Inspected& inspected);
  Result<void> look_for_races(const InspectedKernel& kernel, Inspected& inspected);
  Result<void> try_other_schedules(const InspectedKernel& kernel, Inspected& inspected);

  const bundle::Bundle& bundle_;
  const Processors& processors_;
  const std::string runner_;
  const StartSubject start_;
};

}  // namespace hone::judge
