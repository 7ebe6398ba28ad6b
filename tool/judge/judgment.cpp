#include "tool/judge/judgment.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tool/base/random.h"
#include "tool/judge/bench/failure_text.h"
#include "tool/judge/bench/pool.h"
#include "tool/judge/process/protocol_limits.h"
#include "tool/judge/time/second_timing.h"
#include "tool/judge/timing_verdict.h"

namespace hone::judge {
namespace {

constexpr std::size_t timing_pool_bytes = 80u << 20;  // of one problem: ProcessorGround's, and what is around it
constexpr std::size_t room_of_process = 1u << 30;     // beside its arguments: code, stacks, a runtime's own
constexpr double much_of_tolerance = 0.5;             // from here on a verdict says so
constexpr std::size_t longest_detail = 8000;          // characters: a report's beginning tells the rest

}  // namespace

Judgment::Judgment(const bundle::Bundle& bundle, const JudgmentPorts& ports)
    : bundle_(bundle), spec_(bundle.data), plan_(bundle.plan), ports_(ports), ground_(ports.ground) {}

Judgment::~Judgment() {
  end_processes();
  ground_.end_untimed_work();  // the next may come much later
  run_this_thread_on(ports_.processors.all);
}

void Judgment::end_processes() {
  verifier_.reset();
  double_reference_.reset();
  second_.reset();
  reference_.reset();
}

Judgment::Ended Judgment::end(Stage stage, bool right, DiagnosticCode code, std::string reason, std::string detail) {
  answer_.stage = stage;
  answer_.right = right;
  answer_.code = code;
  answer_.reason = std::move(reason);
  answer_.detail = detail.substr(0, longest_detail);
  return true;
}

Judgment::Ended Judgment::end(const std::optional<Finding>& finding) {
  if (!finding) return false;
  return end(Stage::verify, false, is_of_original() ? DiagnosticCode::original_unfit : finding->code, finding->reason,
             finding->detail);
}

Result<std::unique_ptr<Subject>> Judgment::start(const std::string& object, const SubjectNeeds& needs) {
  return ports_.start(object, needs);
}

RunnerAnswer<void> Judgment::ready(Subject& subject) {
  auto ready = subject.ready();
  ground_.end_start();
  return ready;
}

Judgment::Ended Judgment::load(Subject& subject, bool original) {
  const auto ready = this->ready(subject);
  if (ready) return false;
  return end(Stage::verify, false, original ? DiagnosticCode::original_unfit : code_of(ready.error()),
             (original ? "the original " : "") + describe(ready.error()), ready.error().text);
}

Judgment::Ended Judgment::check_limits() {
  const std::string reason = too_large(spec_);
  return reason.empty() ? Ended(false) : end(Stage::verify, false, DiagnosticCode::problem_unusable, reason);
}

Judgment::Ended Judgment::start_original() {
  const std::vector<int>& working = ports_.processors.working;
  if (spec_.threads == 1) run_this_thread_on(working);
  HONE_TRY(reference_, start(bundle_.reference, {.memory_bytes = plan_.memory_bytes + room_of_process}));
  if (spec_.threads == 1) reference_->run_on(working);
  return load(*reference_, true);
}

Judgment::Ended Judgment::make_cases() {
  for (unsigned problem = 0; problem < spec_.problems.size(); ++problem) {
    auto made = make_case(spec_, *reference_, problem, derive(plan_.seed, 0xdec1 + problem), {}, plan_.memory_bytes);
    if (!made) {
      const NoCase& none = made.error();
      if (!none.failure)
        return end(Stage::verify, false, DiagnosticCode::problem_unusable,
                   fmt::format("{}:{}: {}", bundle_.kernel.file, bundle_.kernel.line, none.reason));
      return end(Stage::verify, false, DiagnosticCode::problem_unusable,
                 fmt::format("the original's clauses cannot be evaluated: it {}", describe(*none.failure)),
                 none.failure->text);
    }
    arguments_ += std::max(2 * Pool::bytes_per_slot(spec_, *made), timing_pool_bytes);
    declared_.push_back(std::move(*made));
  }
  return false;
}

Judgment::Ended Judgment::start_second() {
  // While there is no candidate yet; the first call has a device's driver load something.
  const double first_free = ground_.seconds_until_free(), second_free = ground_.seconds_until_free();
  idle_free_ = std::min(first_free, second_free);
  HONE_TRY(second_, start(is_of_original() ? bundle_.reference : bundle_.candidate,
                          {.memory_bytes = arguments_ + 2 * SizePasses::largest_bytes(plan_.depth)}));
  if (spec_.threads == 1) second_->run_on(ports_.processors.working);
  HONE_TRY(const bool ended, load(*second_, is_of_original()));
  if (ended) return true;

  if (!bundle_.precise_reference.empty())
    double_reference_.emplace(
        spec_, bundle_.precise_data, ports_.clock, ground_, [this]() -> Result<std::unique_ptr<Subject>> {
          HONE_TRY(auto wide, start(bundle_.precise_reference, {.memory_bytes = plan_.memory_bytes + room_of_process}));
          (void)ready(*wide);
          return wide;
        });
  VerifySetup setup{.kernel = bundle_.kernel,
                    .spec = spec_,
                    .plan = plan_,
                    .reference = *reference_,
                    .second = *second_,
                    .clock = ports_.clock,
                    .ground = ground_,
                    .double_reference = double_reference_ ? &*double_reference_ : nullptr};
  if (!is_of_original() && !bundle_.sanitized_reference.empty())
    setup.start_sanitized = [this] {
      return start(bundle_.sanitized_reference,
                   {.memory_bytes = std::max(2 * arguments_, room_of_process), .sanitizers = Sanitizers::memory});
    };
  verifier_.emplace(setup, declared_);
  return false;
}

Judgment::Ended Judgment::verify() {
  if (!is_of_original() && !verifies_candidate()) return false;
  HONE_TRY(const auto finding, is_of_original() ? verifier_->verify_original() : verifier_->verify_candidate());
  return end(finding);
}

void Judgment::take(Inspected& inspected) {
  answer_.tried.add(inspected.tried);
  unwatched_ = std::move(inspected.unwatched);
  unusable_ = std::move(inspected.unusable);
}

// To ask the last tool takes longer than to time, and what is not faster is never linked.
bool Judgment::inspects_last() const {
  return plan_.task == bundle::Task::candidate && plan_.depth == bundle::Depth::trial &&
         !ports_.inspection.last_tool().empty();
}

Judgment::Ended Judgment::look_for_errors() {
  if (inspects_last() || (!is_of_original() && !verifies_candidate())) return false;
  HONE_TRY(Inspected inspected, ports_.inspection.look_for_errors(inspected_kernel()));
  take(inspected);
  return end(inspected.finding);
}

Result<void> Judgment::inspect_the_faster() {
  if (!answer_.faster) {
    answer_.reason += fmt::format("; {} was not asked", ports_.inspection.last_tool());
    return {};
  }
  HONE_TRY(Inspected inspected, ports_.inspection.ask_last_tool(inspected_kernel()));
  take(inspected);
  HONE_TRY(const bool guilty, end(inspected.finding));
  if (guilty) answer_.faster = false;
  if (!guilty && !unwatched_.empty()) answer_.detail = unwatched_ + "\n" + answer_.detail;
  return {};
}

// Right, but how nearly wrong?
Judgment::Ended Judgment::weigh_errors() {
  if (!verifies_candidate()) return false;
  HONE_TRY(const auto errors, verifier_->errors());
  if (!errors) return false;
  answer_.tolerance_used = std::min(errors->candidate, 1.0);
  if (answer_.tolerance_used <= much_of_tolerance) return false;
  error_words_ += fmt::format("; its worst error is {:.2g} of the tolerance", answer_.tolerance_used);
  if (errors->original) error_words_ += fmt::format(", the original's own {:.2g}", *errors->original);
  return false;
}

Judgment::Ended Judgment::finish() {
  if (is_of_original()) return finish_original();
  if (plan_.task == bundle::Task::count) return count();
  if (plan_.task == bundle::Task::verify)
    return end(Stage::done, true, DiagnosticCode::none, "nothing wrong was found" + error_words_, untimed_detail());
  return time();
}

Judgment::Ended Judgment::finish_original() {
  for (const Case& c : declared_)
    answer_.measurement.problems.push_back({.label = c.label,
                                            .weight = spec_.problems[c.problem].weight,
                                            .reference_seconds = verifier_->reference_seconds(c.problem)});
  return end(Stage::done, true, DiagnosticCode::none, "the original is deterministic, in bounds and clean",
             untimed_detail());
}

Judgment::Ended Judgment::count() {
  HONE_TRY(Counting counting, ports_.inspection.count(inspected_kernel()));
  answer_.counts = std::move(counting.counts);
  answer_.profile = std::move(counting.profile);
  return end(Stage::verify, false, DiagnosticCode::none, std::move(counting.reason), std::move(counting.report));
}

Judgment::Ended Judgment::conclude(const Timing& timing) {
  answer_.measurement = timing.measurement;
  TimingVerdict conclusion = judge::conclude(timing, error_words_);
  answer_.faster = conclusion.faster;
  const std::string detail = unwatched_ + (unwatched_.empty() || timing.roofline.empty() ? "" : "\n") + timing.roofline;
  return end(conclusion.stage, conclusion.right, conclusion.code, std::move(conclusion.reason),
             conclusion.right ? detail : timing.detail);
}

// In a fresh process, which the candidate gets once it has been compared with the original's.
Result<void> Judgment::replace_by_original() {
  HONE_TRY(second_, start(bundle_.reference, {.memory_bytes = arguments_}));
  verifier_->use(*reference_, *second_);
  (void)ready(*second_);  // what it could not load, it says again when it is timed
  return {};
}

Result<Timing> Judgment::measure(const bundle::Plan& plan, const std::vector<Bench::Scales>& scales, bool compare,
                                 Waiting waiting) {
  Timer timer({.spec = spec_,
               .plan = plan,
               .reference = *reference_,
               .candidate = *second_,
               .clock = ports_.clock,
               .ground = ground_,
               .object = compare ? &bundle_.candidate : nullptr,
               .idle_free = idle_free_,
               .waiting = waiting},
              timed_, scales);
  if (ground_.traits().pools_before_turn) HONE_CHECK(timer.make_pools());
  ground_.end_untimed_work();
  // Processes that start hardly disturb: it does for a trial, whose figure is measured again.
  const TimingTurn turn = ground_.take_turn(plan_.depth != bundle::Depth::trial);
  const TimingProcessor claimed = claim_timing_processor(ports_.processors);
  const std::vector<int>& processors = spec_.threads == 1 ? claimed.processor : ports_.processors.all;
  run_this_thread_on(processors);
  reference_->run_on(processors);
  second_->run_on(processors);
  auto timing = timer.run();
  if (plan_.wants_rates) answer_.rates = ground_.rates();
  run_this_thread_on(ports_.processors.all);
  return timing;
}

// In fresh processes, as how a team waits is settled when it starts; those before, which may spin, end first.
Result<Timing> Judgment::measure_asleep(Timing first, const std::vector<Bench::Scales>& scales) {
  const SubjectNeeds needs{.memory_bytes = arguments_, .waiting = Waiting::sleeps};
  HONE_TRY(reference_, start(bundle_.reference, needs));
  HONE_TRY(second_, start(bundle_.candidate, needs));
  verifier_->use(*reference_, *second_);
  bundle::Plan plan = plan_;
  plan.seed = derive(plan_.seed, 0x51ee);
  plan.rule = rule_of_second_timing(first, plan_);
  HONE_TRY(Timing second, measure(plan, scales, false, Waiting::sleeps));
  return weigh(std::move(first), std::move(second));
}

Result<void> Judgment::verify_timed(Timing& timing) {
  const auto problem = static_cast<unsigned>(derive(plan_.seed, 0xa9a1) % spec_.problems.size());
  HONE_TRY(const auto finding, verifier_->verify_again(problem, derive(plan_.seed, 0xa9a2)));
  if (!finding) return {};
  timing.misdeed = "right at first, but wrong after it was timed: " + finding->reason;
  timing.detail = finding->detail;
  timing.late_work = false;
  return {};
}

Judgment::Ended Judgment::time() {
  std::vector<Bench::Scales> scales;
  HONE_TRY(timed_, verifier_->timed_cases());
  for (const Case& timed : timed_) {
    HONE_TRY(scales.emplace_back(), verifier_->scales(timed));
  }
  verifier_->release_memory();
  if (double_reference_) double_reference_->rest();
  const GroundTraits& traits = ground_.traits();
  // Where the ratio is so much larger than what processes differ by, they need not be compared, until the finals.
  const bool is_clear =
      plan_.depth == bundle::Depth::trial && (verifier_->clearly_faster() || verifier_->clearly_slower());
  const bool compare = traits.processes_differ && !is_clear;
  if (compare) HONE_CHECK(replace_by_original());
  HONE_TRY(Timing timing, measure(plan_, scales, compare));
  ground_.begin_untimed_work();
  // On a busy machine a process pays now and then for what others did; who works beside its calls does it again.
  if (timing.late_work && spec_.threads == 1) {
    bundle::Plan again = plan_;
    again.seed = derive(plan_.seed, 0x1a7e);
    HONE_TRY(timing, measure(again, scales, false));
  }
  const bool team = spec_.threads > 1 && traits.spinning_teams;
  if (timing.misdeed.empty() || (team && timing.late_work)) HONE_CHECK(verify_timed(timing));
  if (team && needs_second_timing(timing)) {
    verifier_->release_memory();
    HONE_TRY(timing, measure_asleep(std::move(timing), scales));
  }
  answer_.tried.add(verifier_->tried());
  answer_.tried.note_check(traits.guard_words);
  HONE_CHECK(conclude(timing));
  if (inspects_last() && answer_.right) HONE_CHECK(inspect_the_faster());
  return true;
}

Result<bundle::Answer> Judgment::run() {
  plan_.memory_bytes = ground_.memory_limit(plan_.memory_bytes);
  ground_.begin_untimed_work();
  answer_.architecture = ground_.architecture();
  answer_.machine = ground_.machine();
  for (const auto stage :
       {&Judgment::check_limits, &Judgment::start_original, &Judgment::make_cases, &Judgment::start_second,
        &Judgment::verify, &Judgment::look_for_errors, &Judgment::weigh_errors, &Judgment::finish}) {
    HONE_TRY(const bool ended, (this->*stage)());
    if (ended) break;
  }
  end_processes();
  HONE_CHECK(ground_.health());
  return std::move(answer_);
}

}  // namespace hone::judge
