#include "tool/judge/judge.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "tool/base/elf.h"
#include "tool/judge/device_inspection.h"
#include "tool/judge/ground/device_ground.h"
#include "tool/judge/ground/processor_ground.h"
#include "tool/judge/judgment.h"
#include "tool/judge/process/runner.h"
#include "tool/judge/processor_inspection.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::judge {
namespace {

// What the sender found, or what the object itself names as needed.
std::string preload_of(const bundle::Bundle& bundle, const std::string& object, Sanitizers sanitizers) {
  const bool races = sanitizers == Sanitizers::races;
  const bool candidates = &object == &bundle.sanitized_candidate || &object == &bundle.race_checked_candidate;
  const bundle::Plan& plan = bundle.plan;
  const std::string& of_candidate = races ? plan.candidate_race_preload : plan.candidate_sanitizer_preload;
  const std::string& found = races ? plan.race_preload : plan.sanitizer_preload;
  if (candidates && !of_candidate.empty()) return of_candidate;
  if (!found.empty()) return found;
  for (const std::string& library : needed_libraries(object))
    if (library.find(races ? "tsan" : "asan") != std::string::npos) return library;
  return "";
}

// Starts runners on the ground.
StartSubject runner_starter(const bundle::Bundle& bundle, const JudgeOptions& options, Ground& ground) {
  return [&](const std::string& object, const SubjectNeeds& needs) -> Result<std::unique_ptr<Subject>> {
    RunnerOptions of_runner{.program = options.runner,
                            .threads = bundle.data.threads,
                            .memory_bytes = needs.memory_bytes,
                            .sanitizers = needs.sanitizers,
                            .libraries = bundle.plan.library_folders,
                            .order = options.order,
                            .may_allocate = bundle.plan.may_allocate,
                            // What is timed has what a user's process has; a trial's winner is timed again.
                            .one_queue = bundle.plan.depth == bundle::Depth::trial,
                            .waits_asleep = needs.waiting == Waiting::sleeps};
    if (needs.sanitizers != Sanitizers::none) of_runner.preload = preload_of(bundle, object, needs.sanitizers);
    ground.begin_start();
    of_runner.device = ground.shown_to_runners();
    HONE_TRY(Runner runner, Runner::start(object, std::move(of_runner)));
    return std::make_unique<Runner>(std::move(runner));
  };
}

// The only place that asks which ground a kernel runs on.
Result<bundle::Answer> judge_on_its_ground(const bundle::Bundle& bundle, const JudgeOptions& options,
                                           const os::Clock& clock) {
  const Processors processors = divide(allowed_processors(), most_timings_at_once());
  if (bundle.data.cuda) {
    HONE_TRY(const std::unique_ptr<DeviceGround> ground, DeviceGround::open(options.device, clock));
    const StartSubject start = runner_starter(bundle, options, *ground);
    DeviceInspection inspection({.bundle = bundle,
                                 .processors = processors,
                                 .clock = clock,
                                 .ground = *ground,
                                 .runner = options.runner,
                                 .start = start});
    return Judgment(bundle, {clock, *ground, inspection, processors, start}).run();
  }
  ProcessorGround ground;
  const StartSubject start = runner_starter(bundle, options, ground);
  ProcessorInspection inspection(bundle, processors, options.runner, start);
  return Judgment(bundle, {clock, ground, inspection, processors, start}).run();
}

}  // namespace

Result<bundle::Answer> judge(const bundle::Bundle& bundle, const JudgeOptions& options) {
  const os::SteadyClock clock;
  const double start = clock.seconds();
  HONE_TRY(const os::SandboxLevel level, os::probe_sandbox());
  HONE_TRY(bundle::Answer answer, judge_on_its_ground(bundle, options, clock));
  answer.sandbox = level.name;
  answer.seconds = clock.seconds() - start;
  return answer;
}

}  // namespace hone::judge
