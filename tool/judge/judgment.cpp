#include "tool/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tool/base/elf.h"
#include "tool/base/random.h"
#include "tool/judge/bench/failure_text.h"
#include "tool/judge/bench/pool.h"
#include "tool/judge/count/counting.h"
#include "tool/judge/device/device.h"
#include "tool/judge/machine/processors.h"
#include "tool/judge/machine/turn_lock.h"
#include "tool/judge/process/protocol_limits.h"
#include "tool/judge/time/second_timing.h"
#include "tool/judge/time/timer.h"
#include "tool/judge/timing_verdict.h"
#include "tool/judge/verify/race_gaps.h"
#include "tool/judge/verify/sanitizer_findings.h"
#include "tool/judge/verify/sanitizer_run.h"
#include "tool/judge/verify/verifier.h"
#include "tool/os/files/usable_memory.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::judge {
namespace {

constexpr std::size_t timing_pool_bytes = 80u << 20;
constexpr double much_of_tolerance = 0.5;

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

// One judgement, from start to end.
class Judgement {
 public:
  Judgement(const bundle::Bundle& bundle, const JudgeOptions& options)
      : bundle_(bundle),
        spec_(bundle.spec),
        plan_(bundle.plan),
        options_(options),
        processors_(divide(allowed_processors(), most_timings_at_once())) {}
  ~Judgement() {
    if (device_) device_->untimed_work().end();  // the next may come much later
    run_this_thread_on(processors_.all);
  }

  Result<Verdict> run();

 private:
  using Ended = Result<bool>;  // true: the verdict is final

  Ended end(Stage stage, bool right, std::string reason, std::string detail = "");
  Ended end(const std::optional<Finding>& finding, Stage stage);
  Result<Runner> start(const std::string& object, Sanitizers sanitizers, std::size_t memory,
                       Waiting waiting = Waiting::spins);
  Result<std::unique_ptr<Subject>> start_precise() const;
  Result<std::unique_ptr<Subject>> start_sanitized();
  RunnerAnswer<void> ready(Runner& runner);  // that was started last
  Ended make_cases(Runner& reference);
  Ended load(Runner& runner, bool original);
  Ended verify(Verifier& verifier);
  // The subject's object and the original's, in one kind of sanitized runner.
  struct Sanitized {
    Sanitizers kind;
    const std::string& subject;
    const std::string& original;
    const char* name;  // "the sanitizers"
    decltype(&Verifier::verify_sanitized) verify;
  };
  Ended run_sanitized(Verifier& verifier, const Sanitized& with, bool& usable);
  Ended look_for_memory_errors(Verifier& verifier);
  Ended look_for_races(Verifier& verifier, Runner& second);
  Ended run_device_sanitizers(Verifier& verifier);
  Ended look_for_races_on_device(Verifier& verifier);
  bool sanitized_last() const;
  Result<void> sanitize_the_faster(Verifier& verifier);
  Ended look_for_errors(Verifier& verifier, Runner& second);
  Ended time(Verifier& verifier, Runner& reference, Runner& candidate);
  Ended count(Verifier& verifier);
  Result<Timing> measure(const bundle::Plan& plan, std::vector<Bench::Scales> scales, Runner& reference,
                         Runner& candidate, bool compare, Waiting waiting = Waiting::spins);
  Result<Timing> measure_asleep(Timing first, std::vector<Bench::Scales> scales, Runner& reference, Runner& candidate);
  Result<void> verify_timed(Verifier& verifier, Timing& timing);
  Result<void> replace_by_original(Runner& candidate);
  Ended conclude(const Timing& timing);
  Result<void> weigh_errors(Verifier& verifier);
  Ended stages();

  const bundle::Bundle& bundle_;
  const KernelSpec& spec_;
  bundle::Plan plan_;
  const JudgeOptions& options_;
  const os::SteadyClock clock_;  // the one that every part of the judgement reads
  const Processors processors_;
  std::shared_ptr<Device> device_;  // of kernels that run on one
  std::optional<DeviceLock> starting_;
  double idle_free_ = 0;  // seconds until it is free where nobody uses it
  std::vector<Case> declared_;
  std::size_t arguments_ = 0;  // bytes that a runner may have mapped at once
  std::string error_words_;    // where a right candidate takes much of its tolerance
  std::string unwatched_;      // what compute-sanitizer's tools could not look for, and why
  Verdict verdict_;
};

Judgement::Ended Judgement::end(Stage stage, bool right, std::string reason, std::string detail) {
  verdict_.stage = stage;
  verdict_.right = right;
  verdict_.reason = std::move(reason);
  constexpr std::size_t longest = 8000;
  verdict_.detail = detail.substr(0, longest);
  return true;
}

Judgement::Ended Judgement::end(const std::optional<Finding>& finding, Stage stage) {
  if (!finding) return false;
  return end(stage, false, finding->reason, finding->detail);
}

Result<Runner> Judgement::start(const std::string& object, Sanitizers sanitizers, std::size_t memory, Waiting waiting) {
  RunnerOptions options{.program = options_.runner,
                        .threads = spec_.threads,
                        .memory_bytes = memory,
                        .sanitizers = sanitizers,
                        .order = options_.order,
                        .waits_asleep = waiting == Waiting::sleeps};
  if (sanitizers != Sanitizers::none) options.preload = preload_of(bundle_, object, sanitizers);
  if (device_) {
    device_->untimed_work().end();
    starting_.reset();
    starting_ = DeviceLock::acquire(starts_on(device_->traits().uuid), DeviceLock::Mode::shared);
    options.device = device_->for_runners();
  }
  return Runner::start(object, options);
}

// The original in higher precision.
Result<std::unique_ptr<Subject>> Judgement::start_precise() const {
  HONE_TRY(Runner runner, Runner::start(bundle_.precise_reference, {.program = options_.runner,
                                                                    .threads = spec_.threads,
                                                                    .memory_bytes = plan_.memory_bytes + (1u << 30)}));
  return std::make_unique<Runner>(std::move(runner));
}

Result<std::unique_ptr<Subject>> Judgement::start_sanitized() {
  HONE_TRY(Runner runner,
           start(bundle_.sanitized_reference, Sanitizers::memory, std::max<std::size_t>(2 * arguments_, 1u << 30)));
  return std::make_unique<Runner>(std::move(runner));
}

RunnerAnswer<void> Judgement::ready(Runner& runner) {
  auto ready = runner.ready();
  starting_.reset();
  if (device_) device_->untimed_work().begin();
  return ready;
}

Judgement::Ended Judgement::load(Runner& runner, bool original) {
  const auto ready = this->ready(runner);
  if (ready) return false;
  return end(Stage::verify, false, (original ? "the original " : "") + describe(ready.error()), ready.error().text);
}

Judgement::Ended Judgement::make_cases(Runner& reference) {
  for (unsigned problem = 0; problem < spec_.problems.size(); ++problem) {
    auto made = make_case(spec_, reference, problem, derive(plan_.seed, 0xdec1 + problem), {}, plan_.memory_bytes);
    if (!made) {
      const NoCase& none = made.error();
      if (!none.failure)
        return end(Stage::verify, false, fmt::format("{}:{}: {}", spec_.file, spec_.line, none.reason));
      return end(Stage::verify, false,
                 fmt::format("the original's clauses cannot be evaluated: it {}", describe(*none.failure)),
                 none.failure->text);
    }
    arguments_ += std::max(2 * Pool::bytes_per_slot(spec_, *made), timing_pool_bytes);
    declared_.push_back(std::move(*made));
  }
  return false;
}

Judgement::Ended Judgement::run_sanitized(Verifier& verifier, const Sanitized& with, bool& usable) {
  const bool races = with.kind == Sanitizers::races, of_original = plan_.task == bundle::Task::reference;
  const std::size_t memory = std::max<std::size_t>((races ? 6 : 2) * arguments_, 1u << 30);
  const std::vector<int> processors = races ? processors_.all : processors_.working;
  HONE_TRY(Runner subject, start(with.subject, with.kind, memory));
  subject.run_on(processors);
  std::optional<Runner> reference;
  if (!of_original && !with.original.empty()) {
    HONE_TRY(reference, start(with.original, with.kind, memory));
    reference->run_on(processors);
  }
  const auto ready = subject.ready();
  usable = ready.has_value();
  if (!usable) {
    // Where the original loads, the machine is not at fault: what keeps the sanitizers out is the candidate's.
    if (reference && reference->ready())
      return end(Stage::verify, false,
                 fmt::format("under {}, where the original loads, it {}", with.name, describe(ready.error())),
                 ready.error().text);
    verdict_.detail += fmt::format("{}{} could not be used: {}", verdict_.detail.empty() ? "" : "\n", with.name,
                                   describe(ready.error()));
    verdict_.tried.note_not_tried(
        fmt::format("{}: {} could not be used", races ? "data races" : "memory errors", with.name));
    return false;
  }
  verdict_.tried.note_check(races ? "ThreadSanitizer" : "AddressSanitizer and UndefinedBehaviorSanitizer");
  const std::string how = fmt::format("{}under {}: ", of_original ? "the original, " : "", with.name);
  HONE_TRY(const auto finding, (verifier.*with.verify)(subject, reference ? &*reference : nullptr, how));
  return end(finding, Stage::verify);
}

Judgement::Ended Judgement::look_for_memory_errors(Verifier& verifier) {
  const std::string& original = bundle_.sanitized_reference;
  const std::string& subject = plan_.task == bundle::Task::reference ? original : bundle_.sanitized_candidate;
  if (subject.empty()) {
    verdict_.tried.note_not_tried("memory errors: nothing was compiled with AddressSanitizer");
    return false;
  }
  bool usable = false;
  return run_sanitized(verifier, {Sanitizers::memory, subject, original, "the sanitizers", &Verifier::verify_sanitized},
                       usable);
}

// A candidate is told to do without what cannot be followed, where the original does without it, too. Where the machine
// or the original is the reason, other schedules are tried in the race checker's place.
Judgement::Ended Judgement::look_for_races(Verifier& verifier, Runner& second) {
  if (spec_.threads == 1) return false;
  const std::string& original = bundle_.race_checked_reference;
  const std::string& subject = plan_.task == bundle::Task::reference ? original : bundle_.race_checked_candidate;
  RaceGap gap = find_race_gap(original);
  if (!gap) {
    gap = find_race_gap(subject);
    if (gap && gap.avoidable)
      return end(Stage::verify, false,
                 fmt::format("it synchronizes threads with {}, which ThreadSanitizer cannot check: use atomics with "
                             "acquire and release, mutexes, barriers or joins",
                             gap.construct));
  }
  bool usable = false;
  if (!gap) {
    auto ended = run_sanitized(
        verifier, {Sanitizers::races, subject, original, "ThreadSanitizer", &Verifier::verify_race_free}, usable);
    if (!ended || *ended || usable) return ended;
  } else if (plan_.task == bundle::Task::reference) {
    verdict_.detail += fmt::format("{}data races were not looked for: ThreadSanitizer cannot follow {}",
                                   verdict_.detail.empty() ? "" : "\n", gap.construct);
  }
  verdict_.tried.note_not_tried(
      "data races: ThreadSanitizer cannot follow this kernel here, other schedules were tried");
  for (const std::vector<int>& processors : {claim_timing_processor(processors_).processor, processors_.all}) {
    second.run_on(processors);
    HONE_CHECK(second.restart());
    HONE_TRY(const auto finding, verifier.verify_rescheduled());
    if (finding) return end(finding, Stage::verify);
  }
  return false;
}

Judgement::Ended Judgement::look_for_errors(Verifier& verifier, Runner& second) {
  if (device_) {
    if (auto ended = run_device_sanitizers(verifier); !ended || *ended) return ended;
    return look_for_races_on_device(verifier);
  }
  if (auto ended = look_for_memory_errors(verifier); !ended || *ended) return ended;
  return look_for_races(verifier, second);
}

Judgement::Ended Judgement::look_for_races_on_device(Verifier& verifier) {
  if (plan_.task == bundle::Task::reference || bundle_.race_checked_candidate.empty()) return false;
  HONE_TRY(Runner pausing, start(bundle_.race_checked_candidate, Sanitizers::none, arguments_));
  if (const auto ready = this->ready(pausing); !ready)
    return end(Stage::verify, false, "with pauses at its barriers it " + describe(ready.error()), ready.error().text);
  HONE_TRY(const auto finding, verifier.verify_pausing(pausing));
  verdict_.tried.note_check("warps that pause at barriers");
  return end(finding, Stage::verify);
}

Judgement::Ended Judgement::run_device_sanitizers(Verifier& verifier) {
  const bool of_original = plan_.task == bundle::Task::reference;
  const std::optional<std::string> program = find_device_sanitizer();
  if (!program) {
    unwatched_ = "compute-sanitizer is not installed here: memory errors and races were not looked for";
    verdict_.tried.note_not_tried(unwatched_);
    return false;
  }
  const std::vector<Case> cases = verifier.sanitized_device_cases();
  DeviceWatchOptions options{.program = *program,
                             .runner = {.program = options_.runner,
                                        .memory_bytes = std::max<std::size_t>(2 * arguments_, 1u << 30),
                                        .device = device_->for_runners()},
                             .device_uuid = device_->traits().uuid,
                             .processors = processors_.all,
                             .timeout_seconds = 10 + 1000 * verifier.reference_seconds(cases.front().problem),
                             .seed = derive(plan_.seed, 0x5a17),
                             .clock = clock_};
  const WatchOnDevice watch = [&](Watched whom, const std::vector<std::string>& tools) {
    options.tools = tools;
    return watch_on_device(spec_, whom == Watched::original ? bundle_.reference : bundle_.candidate, cases, options);
  };
  const std::vector<std::string> tools = options.tools;
  device_->untimed_work().end();  // the tools take turns with the timings, each by itself
  HONE_TRY(DeviceFindings findings, of_original ? find_in_original(watch, tools) : find_in_candidate(watch, tools));
  device_->untimed_work().begin();
  unwatched_ = std::move(findings.unwatched);
  verdict_.tried.note_check("compute-sanitizer");
  verdict_.tried.note_not_tried(unwatched_);
  if (findings.reason.empty()) return false;
  return end(Stage::verify, false, std::move(findings.reason), std::move(findings.report));
}

Judgement::Ended Judgement::conclude(const Timing& timing) {
  verdict_.measurement = timing.measurement;
  Conclusion conclusion = judge::conclude(timing, error_words_);
  verdict_.faster = conclusion.faster;
  const std::string detail = unwatched_ + (unwatched_.empty() || timing.roofline.empty() ? "" : "\n") + timing.roofline;
  return end(conclusion.stage, conclusion.right, std::move(conclusion.reason),
             conclusion.right ? detail : timing.detail);
}

// Right, but how nearly wrong?
Result<void> Judgement::weigh_errors(Verifier& verifier) {
  HONE_TRY(const auto errors, verifier.errors());
  if (!errors) return {};
  verdict_.tolerance_used = std::min(errors->candidate, 1.0);
  if (verdict_.tolerance_used <= much_of_tolerance) return {};
  error_words_ += fmt::format("; its worst error is {:.2g} of the tolerance", verdict_.tolerance_used);
  if (errors->original) error_words_ += fmt::format(", the original's own {:.2g}", *errors->original);
  return {};
}

// In a fresh process, which the candidate gets once it has been compared with the original's.
Result<void> Judgement::replace_by_original(Runner& candidate) {
  HONE_TRY(Runner fresh, start(bundle_.reference, Sanitizers::none, arguments_));
  (void)ready(fresh);  // what it could not load, it says again when it is timed
  candidate = std::move(fresh);
  return {};
}

Result<Timing> Judgement::measure(const bundle::Plan& plan, std::vector<Bench::Scales> scales, Runner& reference,
                                  Runner& candidate, bool compare, Waiting waiting) {
  Timer timer({.spec = spec_,
               .plan = plan,
               .reference = reference,
               .candidate = candidate,
               .clock = clock_,
               .object = compare ? &bundle_.candidate : nullptr,
               .idle_free = idle_free_,
               .waiting = waiting,
               .device = device_},
              declared_, std::move(scales));
  if (device_) {
    HONE_CHECK(timer.make_pools());  // beside other judges' work
    device_->untimed_work().end();
  }
  // Processes that start hardly disturb: it does for a trial, whose figure is measured again.
  DeviceLock quiet;
  if (device_ && plan_.depth != bundle::Depth::trial) quiet = DeviceLock::acquire(starts_on(device_->traits().uuid));
  const DeviceLock lock = DeviceLock::acquire(device_ ? device_->traits().uuid : "cpu");
  const TimingProcessor claimed = claim_timing_processor(processors_);
  const std::vector<int> processors = spec_.threads == 1 ? claimed.processor : processors_.all;
  run_this_thread_on(processors);
  reference.run_on(processors);
  candidate.run_on(processors);
  auto timing = timer.run();
  if (device_ && plan_.wants_rates) verdict_.rates = device_->rates();
  run_this_thread_on(processors_.all);
  return timing;
}

// In fresh processes, as how a team waits is settled when it starts; those before, which may spin, end first.
Result<Timing> Judgement::measure_asleep(Timing first, std::vector<Bench::Scales> scales, Runner& reference,
                                         Runner& candidate) {
  HONE_TRY(reference, start(bundle_.reference, Sanitizers::none, arguments_, Waiting::sleeps));
  HONE_TRY(candidate, start(bundle_.candidate, Sanitizers::none, arguments_, Waiting::sleeps));
  bundle::Plan plan = plan_;
  plan.seed = derive(plan_.seed, 0x51ee);
  plan.rule = rule_of_second_timing(first, plan_);
  HONE_TRY(Timing second, measure(plan, std::move(scales), reference, candidate, false, Waiting::sleeps));
  return weigh(std::move(first), std::move(second));
}

Result<void> Judgement::verify_timed(Verifier& verifier, Timing& timing) {
  const auto problem = static_cast<unsigned>(derive(plan_.seed, 0xa9a1) % spec_.problems.size());
  HONE_TRY(const auto finding, verifier.verify_again(problem, derive(plan_.seed, 0xa9a2)));
  if (!finding) return {};
  timing.misdeed = "right at first, but wrong after it was timed: " + finding->reason;
  timing.detail = finding->detail;
  timing.late_work = false;
  return {};
}

Judgement::Ended Judgement::time(Verifier& verifier, Runner& reference, Runner& candidate) {
  std::vector<Bench::Scales> scales;
  for (unsigned problem = 0; problem < spec_.problems.size(); ++problem) {
    HONE_TRY(scales.emplace_back(), verifier.scales(problem));
  }
  verifier.release_memory();
  // Where the gain is so much larger than what processes differ by, they need not be compared, until the finals.
  const bool compare = device_ && !(plan_.depth == bundle::Depth::trial && verifier.clearly_faster());
  if (compare) HONE_CHECK(replace_by_original(candidate));
  HONE_TRY(Timing timing, measure(plan_, scales, reference, candidate, compare));
  if (device_) device_->untimed_work().begin();
  const bool team = spec_.threads > 1 && !device_;
  if (timing.misdeed.empty() || (team && timing.late_work)) HONE_CHECK(verify_timed(verifier, timing));
  if (team && needs_second_timing(timing)) {
    verifier.release_memory();
    HONE_TRY(timing, measure_asleep(std::move(timing), std::move(scales), reference, candidate));
  }
  verdict_.tried.add(verifier.tried());
  verdict_.tried.note_check(device_ ? "canaries around each array" : "guard pages at both ends of each array");
  if (auto ended = conclude(timing); !ended || !sanitized_last()) return ended;
  if (verdict_.right) HONE_CHECK(sanitize_the_faster(verifier));
  return true;
}

// To start compute-sanitizer's tools takes longer than to time, and what is not faster is never linked.
bool Judgement::sanitized_last() const {
  return device_ && plan_.task == bundle::Task::candidate && plan_.depth == bundle::Depth::trial;
}

Result<void> Judgement::sanitize_the_faster(Verifier& verifier) {
  if (!verdict_.faster) {
    verdict_.reason += "; compute-sanitizer was not asked";
    return {};
  }
  HONE_TRY(const bool guilty, run_device_sanitizers(verifier));
  if (guilty) verdict_.faster = false;
  if (!guilty && !unwatched_.empty()) verdict_.detail = unwatched_ + "\n" + verdict_.detail;
  return {};
}

Judgement::Ended Judgement::count(Verifier& verifier) {
  const CountingOptions options{.runner = options_.runner,
                                .threads = spec_.threads,
                                .argument_bytes = arguments_,
                                .processors = processors_.all,
                                .seed = derive(plan_.seed, 0x9c0f)};
  HONE_TRY(Counting counting, device_ ? count_on_device(spec_, bundle_.candidate, verifier, *device_, options)
                                      : count_on_processor(bundle_.candidate, verifier, options));
  verdict_.counts = std::move(counting.counts);
  verdict_.profile = std::move(counting.profile);
  return end(Stage::verify, false, std::move(counting.reason), std::move(counting.report));
}

Judgement::Ended Judgement::stages() {
  if (const std::string reason = too_large(spec_); !reason.empty()) return end(Stage::verify, false, reason);
  const std::vector<int>& working = processors_.working;
  if (spec_.threads == 1) run_this_thread_on(working);
  const bool of_original = plan_.task == bundle::Task::reference;

  HONE_TRY(Runner reference, start(bundle_.reference, Sanitizers::none, plan_.memory_bytes + (1u << 30)));
  if (spec_.threads == 1) reference.run_on(working);
  if (auto ended = load(reference, true); !ended || *ended) return ended;
  if (auto ended = make_cases(reference); !ended || *ended) return ended;
  if (device_)  // while there is no candidate yet; the first call has the driver load something
    idle_free_ = std::min(device_->seconds_until_free(), device_->seconds_until_free());
  const std::size_t room = arguments_ + 2 * Verifier::largest_bytes(plan_.depth);
  HONE_TRY(Runner second, start(of_original ? bundle_.reference : bundle_.candidate, Sanitizers::none, room));
  if (spec_.threads == 1) second.run_on(working);
  if (auto ended = load(second, of_original); !ended || *ended) return ended;

  std::optional<Precision> precision;
  if (!bundle_.precise_reference.empty())
    precision.emplace(spec_, bundle_.precise_spec, clock_, [this] { return start_precise(); });
  VerifySetup setup{.spec = spec_,
                    .plan = plan_,
                    .reference = reference,
                    .second = second,
                    .clock = clock_,
                    .precision = precision ? &*precision : nullptr,
                    .device = device_};
  if (!of_original && !bundle_.sanitized_reference.empty())
    setup.start_sanitized = [this] { return start_sanitized(); };
  Verifier verifier(setup, declared_);
  if (of_original) {
    HONE_TRY(const auto finding, verifier.verify_original());
    if (finding) return end(finding, Stage::verify);
    if (auto ended = look_for_errors(verifier, second); !ended || *ended) return ended;
    for (const Case& c : declared_)
      verdict_.measurement.problems.push_back({.label = c.label,
                                               .weight = spec_.problems[c.problem].weight,
                                               .reference_seconds = verifier.reference_seconds(c.problem)});
    return end(Stage::done, true, "the original is deterministic, in bounds and clean",
               unwatched_.empty() ? verdict_.detail : unwatched_);
  }
  if (plan_.task == bundle::Task::count) return count(verifier);
  if (plan_.task == bundle::Task::candidate || plan_.task == bundle::Task::verify) {
    HONE_TRY(const auto finding, verifier.verify_candidate());
    if (finding) return end(finding, Stage::verify);
    if (!sanitized_last())
      if (auto ended = look_for_errors(verifier, second); !ended || *ended) return ended;
    HONE_CHECK(weigh_errors(verifier));
  }
  if (plan_.task == bundle::Task::verify)
    return end(Stage::done, true, "nothing wrong was found" + error_words_,
               unwatched_.empty() ? verdict_.detail : unwatched_);
  return time(verifier, reference, second);
}

Result<Verdict> Judgement::run() {
  const double start = clock_.seconds();
  HONE_TRY(const os::SandboxLevel level, os::probe_sandbox());
  verdict_.sandbox = level.name;
  if (plan_.memory_bytes == 0) plan_.memory_bytes = os::usable_memory();
  if (spec_.cuda) {
    HONE_TRY(device_, Device::open(options_.device));
    plan_.memory_bytes = std::min(plan_.memory_bytes, device_->free_bytes() / 2);
    device_->untimed_work().begin();
    verdict_.architecture = architecture_of(device_->traits());
  }
  HONE_CHECK(stages());
  if (device_) HONE_CHECK(device_->health());  // a verdict on a device that fails is none
  verdict_.seconds = clock_.seconds() - start;
  return std::move(verdict_);
}

}  // namespace

Result<Verdict> judge(const bundle::Bundle& bundle, const JudgeOptions& options) {
  return Judgement(bundle, options).run();
}

}  // namespace hone::judge
