#include "tool/judge/processor_inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tool/base/random.h"
#include "tool/judge/bench/failure_text.h"
#include "tool/judge/verify/race_gaps.h"

namespace hone::judge {
namespace {

// Sanitizers keep shadow memory: of the arguments twice as much, ThreadSanitizer six times.
constexpr std::size_t memory_factor = 2, race_factor = 6, least_memory = 1u << 30;

void add_line(std::string& text, const std::string& line) {
  text += (text.empty() ? "" : "\n") + line;
}

}  // namespace

ProcessorInspection::ProcessorInspection(const bundle::Bundle& bundle, const Processors& processors, std::string runner,
                                         StartSubject start)
    : bundle_(bundle), processors_(processors), runner_(std::move(runner)), start_(std::move(start)) {}

Result<bool> ProcessorInspection::run_sanitized(const InspectedKernel& kernel, const Sanitized& with,
                                                Inspected& inspected) {
  const bool races = with.kind == Sanitizers::races, of_original = bundle_.plan.task == bundle::Task::reference;
  const SubjectNeeds needs{
      .memory_bytes = std::max((races ? race_factor : memory_factor) * kernel.argument_bytes, least_memory),
      .sanitizers = with.kind};
  const std::vector<int>& processors = races ? processors_.all : processors_.working;
  HONE_TRY(const std::unique_ptr<Subject> subject, start_(with.subject, needs));
  subject->run_on(processors);
  std::unique_ptr<Subject> reference;
  if (!of_original && !with.original.empty()) {
    HONE_TRY(reference, start_(with.original, needs));
    reference->run_on(processors);
  }
  if (const auto ready = subject->ready(); !ready) {
    // Where the original loads, the machine is not at fault: what keeps the sanitizers out is the candidate's.
    if (reference && reference->ready()) {
      inspected.finding =
          Finding{code_of(ready.error()),
                  fmt::format("under {}, where the original loads, it {}", with.name, describe(ready.error())),
                  ready.error().text};
      return false;
    }
    add_line(inspected.unusable, fmt::format("{} could not be used: {}", with.name, describe(ready.error())));
    inspected.tried.note_not_tried(
        fmt::format("{}: {} could not be used", races ? "data races" : "memory errors", with.name));
    return false;
  }
  inspected.tried.note_check(races ? "ThreadSanitizer" : "AddressSanitizer and UndefinedBehaviorSanitizer");
  const std::string how = fmt::format("{}under {}: ", of_original ? "the original, " : "", with.name);
  HONE_TRY(inspected.finding, (kernel.verifier.sanitized().*with.verify)(*subject, reference.get(), how));
  return true;
}

Result<void> ProcessorInspection::look_for_memory_errors(const InspectedKernel& kernel, Inspected& inspected) {
  const std::string& original = bundle_.sanitized_reference;
  const std::string& subject = bundle_.plan.task == bundle::Task::reference ? original : bundle_.sanitized_candidate;
  if (subject.empty()) {
    inspected.tried.note_not_tried("memory errors: nothing was compiled with AddressSanitizer");
    return {};
  }
  HONE_CHECK(run_sanitized(
      kernel, {Sanitizers::memory, subject, original, "the sanitizers", &SanitizedPasses::verify_sanitized},
      inspected));
  return {};
}

// A candidate is told to do without what cannot be followed, where the original does without it, too. Where the machine
// or the original is the reason, other schedules are tried in the race checker's place.
Result<void> ProcessorInspection::look_for_races(const InspectedKernel& kernel, Inspected& inspected) {
  if (bundle_.data.threads == 1) return {};
  const bool of_original = bundle_.plan.task == bundle::Task::reference;
  const std::string& original = bundle_.race_checked_reference;
  const std::string& subject = of_original ? original : bundle_.race_checked_candidate;
  RaceGap gap = find_race_gap(original);
  if (!gap) {
    gap = find_race_gap(subject);
    if (gap && gap.avoidable) {
      inspected.finding =
          Finding{DiagnosticCode::data_race,
                  fmt::format("it synchronizes threads with {}, which ThreadSanitizer cannot check: use "
                              "atomics with acquire and release, mutexes, barriers or joins",
                              gap.construct),
                  ""};
      return {};
    }
  }
  if (!gap) {
    HONE_TRY(const bool usable,
             run_sanitized(
                 kernel, {Sanitizers::races, subject, original, "ThreadSanitizer", &SanitizedPasses::verify_race_free},
                 inspected));
    if (usable || inspected.finding) return {};
  } else if (of_original) {
    add_line(inspected.unusable,
             fmt::format("data races were not looked for: ThreadSanitizer cannot follow {}", gap.construct));
  }
  inspected.tried.note_not_tried(
      "data races: ThreadSanitizer cannot follow this kernel here, other schedules were tried");
  return try_other_schedules(kernel, inspected);
}

Result<void> ProcessorInspection::try_other_schedules(const InspectedKernel& kernel, Inspected& inspected) {
  for (const std::vector<int>& processors : {claim_timing_processor(processors_).processor, processors_.all}) {
    kernel.second.run_on(processors);
    HONE_CHECK(kernel.second.restart());
    HONE_TRY(inspected.finding, kernel.verifier.sanitized().verify_rescheduled());
    if (inspected.finding) return {};
  }
  return {};
}

Result<Inspected> ProcessorInspection::look_for_errors(const InspectedKernel& kernel) {
  Inspected inspected;
  HONE_CHECK(look_for_memory_errors(kernel, inspected));
  if (!inspected.finding) HONE_CHECK(look_for_races(kernel, inspected));
  return inspected;
}

Result<Counting> ProcessorInspection::count(const InspectedKernel& kernel) {
  const CountingOptions options{.runner = runner_,
                                .threads = bundle_.data.threads,
                                .libraries = bundle_.plan.library_folders,
                                .argument_bytes = kernel.argument_bytes,
                                .processors = processors_.all,
                                .seed = derive(bundle_.plan.seed, 0x9c0f)};
  return count_on_processor(bundle_.candidate, kernel.verifier, options);
}

}  // namespace hone::judge
