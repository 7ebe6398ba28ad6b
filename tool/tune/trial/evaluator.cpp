#include "tool/tune/trial/evaluator.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/base/either_stop.h"
#include "tool/capture/captured_inputs.h"
#include "tool/command/cuda_architecture.h"
#include "tool/compile/object/object_gain.h"
#include "tool/compile/object/same_code.h"
#include "tool/compile/unit/device_allocations.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/unit/double_unit.h"
#include "tool/model/workload_kernel.h"
#include "tool/project/parse_watch.h"
#include "tool/tune/trial/whole_file.h"

namespace hone::tune {
namespace {

// Seconds of comparing: of a candidate that somebody waits for, and of a winner, of which there is one.
constexpr double quick_proof = 1, longest_proof = 6;

// The share of a winner's speed that a reader's ease is worth; of one problem's twice as much.
constexpr double most_lost = 0.05;

statistics::AcceptanceRule one_look(double seconds) {
  statistics::AcceptanceRule rule;
  rule.looks = {seconds};
  rule.shares.clear();
  return rule;
}

std::uint64_t fresh_seed() {
  std::random_device device;  // the system's entropy: a candidate must not know its inputs
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

// False: stopped before.
bool sleep(double seconds, std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
  return !stop.stop_requested();
}

bool is_single(const ElementType& element) {
  return std::ranges::any_of(element.fields, [](const Field& field) {
    return field.type.kind == ScalarKind::floating && field.type.size == sizeof(float);
  });
}

bool gives_float(const KernelSpec& spec) {
  return (spec.result && is_single(*spec.result)) || std::ranges::any_of(spec.parameters, [](const Parameter& p) {
           return p.pointer && p.role != Role::in && is_single(p.element);
         });
}

// The last flag that says so wins, as for the compilers.
bool is_finite_math(const CompileCommand& command) {
  bool finite = false;
  for (const std::string& word : command.arguments)
    if (word == "-ffast-math" || word == "-Ofast" || word == "-ffinite-math-only")
      finite = true;
    else if (word == "-fno-fast-math" || word == "-fno-finite-math-only")
      finite = false;
  return finite;
}

bool flushes_denormals(const CompileCommand& command) {
  bool flushes = false;
  for (const std::string& word : command.arguments) {
    const std::string_view flag = std::string_view(word).substr(word.starts_with("--") ? 1 : 0);  // nvcc takes both
    if (flag == "-ffast-math" || flag == "-Ofast" || flag == "-funsafe-math-optimizations" || flag == "-ftz=true" ||
        flag == "-use_fast_math" || flag == "-mdaz-ftz")
      flushes = true;
    else if (flag == "-fno-fast-math" || flag == "-fno-unsafe-math-optimizations" || flag == "-ftz=false")
      flushes = false;
  }
  return flushes;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Evaluator::Evaluator(const KernelSpec& spec, const CompileCommand& command, const frontend::Options& options,
                     os::ProcessRunner& runner, bundle::Executor& executor, const std::stop_token& stop)
    : spec_(spec),
      command_(command),
      options_(options),
      executor_(executor),
      compiler_(runner, command),
      runner_(runner),
      ending_(stop),
      prover_(runner, spec_, command_) {}

Result<std::unique_ptr<Evaluator>> Evaluator::open(const KernelSpec& spec, const CompileCommand& command,
                                                   const frontend::Options& options, os::ProcessRunner& runner,
                                                   bundle::Executor& executor, std::stop_token stop) {
  if (!spec.lacks_problem.empty()) return failure(spec.lacks_problem, spec.file + ':' + std::to_string(spec.line));
  HONE_CHECK(executor.ready_for(spec));
  std::unique_ptr<Evaluator> judge(new Evaluator(spec, command, options, runner, executor, stop));
  if (!spec.captures.empty()) judge->captured_ = capture::captured_inputs(spec.captures, spec.mangled_name, spec);
  HONE_TRY(judge->unit_, judge->compiler_.freeze(spec, stop));
  HONE_TRY(auto compiled, judge->compiler_.compile(judge->unit_, judge->unit_.definition, stop));
  if (const Verdict* verdict = std::get_if<Verdict>(&compiled))
    return failure("the original does not compile by itself: " + verdict->reason,
                   spec.file + ':' + std::to_string(spec.line), verdict->detail);
  judge->original_ = std::move(std::get<compile::Objects>(compiled));
  judge->original_object_ = cache::sha256(judge->original_.plain);
  if (gives_float(spec) && !has_workload(spec))
    judge->precise_ = std::async(spec.cuda ? std::launch::deferred : std::launch::async, [&judge = *judge] {
                        return judge.compile_precise(judge.ending_.token());
                      }).share();
  return judge;
}

Evaluator::~Evaluator() {
  ending_.stop();
}

// Best effort: what cannot be written in double, or does not compile, is judged without.
std::optional<Evaluator::Precise> Evaluator::compile_precise(std::stop_token stop) {
  auto widening = frontend::widened(spec_, command_, options_);
  if (!widening.spec) return std::nullopt;
  auto unit = compiler_.freeze(*widening.spec);
  if (!unit) return std::nullopt;
  unit->threaded = false;  // it is only ever asked for its results
  // Of C++ this runs beside what chooses a compiler for a device.
  compile::Compiler& compiler = spec_.cuda ? for_candidates() : compiler_;
  auto compiled = compiler.compile(*unit, unit->definition, stop, compile::Builds::plain);
  auto* objects = compiled ? std::get_if<compile::Objects>(&*compiled) : nullptr;
  if (!objects) return std::nullopt;
  return Precise{std::move(*widening.spec), std::move(objects->plain)};
}

Result<Verdict> Evaluator::reference(std::stop_token stop) {
  return execute(bundle(bundle::Task::reference), stop);
}

Result<bundle::Answer> Evaluator::time_original(std::stop_token stop) {
  bundle::Bundle bundle = timed(original_, original_, one_look(0.2));
  bundle.plan.wants_rates = true;
  return execute(bundle, stop);
}

std::optional<Speedup> Evaluator::compare(const std::string& first, const std::string& second, std::stop_token stop) {
  const auto slower = compile_plain(first, stop);
  const auto faster = slower ? compile_plain(second, stop) : slower;
  if (!faster || !std::holds_alternative<compile::Objects>(*slower) ||
      !std::holds_alternative<compile::Objects>(*faster))
    return std::nullopt;
  return compare(std::get<compile::Objects>(*slower), std::get<compile::Objects>(*faster), stop);
}

std::optional<Speedup> Evaluator::compare(const compile::Objects& first, const compile::Objects& second,
                                          std::stop_token stop) {
  if (first.plain == second.plain) return Speedup{1, 1, 1};
  const auto verdict = execute(timed(first, second, one_look(0.3)), stop);
  return verdict && verdict->right ? std::optional(verdict->measurement.speedup) : std::nullopt;
}

// The looks of the rule of acceptance with another threshold. The rule's answer is about a gain: one problem that is
// slower by 2% would end it.
Result<Verdict> Evaluator::as_fast(const compile::Objects& first, const compile::Objects& second,
                                   std::stop_token stop) {
  statistics::AcceptanceRule rule;
  rule.threshold = 1 / (1 - most_lost);
  rule.confidence = 0.95;  // whoever errs here loses a little speed, and no rightness
  rule.looks = {0.3, 1};
  rule.shares = {0.4, 0.6};
  HONE_TRY(bundle::Answer answer, execute(timed(first, second, rule), stop));
  Verdict verdict = std::move(static_cast<Verdict&>(answer));
  const Measurement& measured = verdict.measurement;
  verdict.faster = verdict.right && measured.speedup.low > 1 - most_lost &&
                   std::ranges::all_of(measured.problems, [](const ProblemMeasurement& problem) {
                     return problem.speedup.median > 1 - 2 * most_lost;
                   });
  return verdict;
}

std::optional<Verdict> Evaluator::gate(const std::string& source) {
  const std::lock_guard lock(gate_in_use_);
  if (!gate_) {
    auto opened = project::watched(command_.file, [&] { return frontend::Gate::open(spec_, command_, options_); });
    if (!opened) return refusal(Stage::gate, opened.error().message(), DiagnosticCode::candidate_syntax);
    gate_.emplace(std::move(*opened));
  }
  std::string why = gate_->objection(source);
  if (why.empty()) return std::nullopt;
  return refusal(Stage::gate, std::move(why), DiagnosticCode::candidate_syntax);
}

Result<std::variant<compile::Objects, Verdict>> Evaluator::compile(const std::string& source, std::stop_token stop,
                                                                   compile::Builds builds) {
  if (other_compiler_) return other_compiler_->compile(other_unit_, source, stop, builds);
  HONE_TRY(auto compiled, for_candidates().compile(unit_, source, stop, builds));
  if (const auto* objects = std::get_if<compile::Objects>(&compiled))
    if (auto refused = gain(*objects)) return std::move(*refused);
  return compiled;
}

std::optional<Verdict> Evaluator::gain(const compile::Objects& candidate) const {
  const bool linked = original_.relocatable.empty();  // CUDA's
  std::string gains = compile::object_gain(linked ? original_.plain : original_.relocatable,
                                           linked ? candidate.plain : candidate.relocatable, spec_.threads > 1);
  if (gains.empty()) return std::nullopt;
  return refusal(Stage::compile, std::move(gains), DiagnosticCode::object_brings);
}

std::string Evaluator::original_object() const {
  return original_for_trial_.valid() ? original_for_trial_.get() : original_object_;
}

void Evaluator::compile_candidates_for(const std::string& architecture) {
  device_half_ = {};  // they borrow the compiler
  original_for_trial_ = {};
  architecture_ = architecture;
  device_compiler_ = compiler_.for_device(architecture);
}

// The file may hold what the sandbox does not show, though the kernel's unit has none of it: then the unit itself has
// to compile for all architectures, as the variant does where it takes the original's place in all of them.
Result<std::string> Evaluator::complaint(const std::string& file_text, const std::string& source,
                                         std::stop_token stop) {
  HONE_TRY(std::string said, compiler_.complaint(unit_, file_text, source, stop));
  if (said.empty()) return said;
  HONE_TRY(const std::string original, os::read_file(spec_.file));
  HONE_TRY(const std::string said_of_original, compiler_.complaint(unit_, original, source, stop));
  if (said_of_original.empty()) return said;
  HONE_TRY(const auto compiled, compiler_.compile(unit_, source, stop, compile::Builds::for_trial));
  const Verdict* refused = std::get_if<Verdict>(&compiled);
  return refused ? refused->reason : std::string();
}

void Evaluator::prepare_for_trials(const std::string& architecture, std::stop_token stop) {
  compile_candidates_for(architecture);
  // Text that stands elsewhere than the original has its own lines in the device's code, so that only launchers can be
  // the original again.
  if (device_compiler_ && !spec_.global)
    original_for_trial_ = std::async(std::launch::async, [this, stop] {
                            const auto made =
                                for_candidates().compile(unit_, unit_.definition, stop, compile::Builds::for_trial);
                            const auto* objects = made ? std::get_if<compile::Objects>(&*made) : nullptr;
                            return objects ? cache::sha256(objects->plain) : original_object_;
                          }).share();
  if (spec_.global)
    device_half_ = std::async(std::launch::async, [this, architecture, stop] {
                     return for_candidates().device_half(unit_, original_, architecture, stop);
                   }).share();
}

void Evaluator::prepare_for_finals() {
  if (!wants_precise(bundle::Depth::held_out) || preparing_for_finals_.valid()) return;
  preparing_for_finals_ = std::async(std::launch::async, [this] { precise_.wait(); });
}

// nullopt: there is no quicker way than the compiler's.
Result<std::optional<compile::Objects>> Evaluator::compile_device_half(const std::string& source,
                                                                       std::stop_token stop) {
  const auto* half = !other_compiler_ && device_half_.valid() ? device_half_.get().get() : nullptr;
  if (!half) return std::nullopt;
  HONE_TRY(std::optional<std::string> object, half->compile(source, stop));
  if (!object) return std::nullopt;
  return compile::Objects{.plain = std::move(*object), .may_allocate = compile::may_allocate_on_device(unit_, source)};
}

Result<std::variant<compile::Objects, Verdict>> Evaluator::compile_for_trial(const std::string& source,
                                                                             std::stop_token stop) {
  HONE_TRY(auto objects, compile_device_half(source, stop));
  if (objects) return std::move(*objects);
  return compile(source, stop, compile::Builds::for_trial);
}

Result<std::variant<compile::Objects, Verdict>> Evaluator::compile_plain(const std::string& source,
                                                                         std::stop_token stop) {
  HONE_TRY(auto objects, compile_device_half(source, stop));
  if (objects) return std::move(*objects);
  return compile(source, stop, compile::Builds::plain);
}

Result<std::optional<compile::Explanation>> Evaluator::explain(const std::string& source, std::stop_token stop) {
  if (device_half_.valid())
    if (const auto& half = device_half_.get()) {
      HONE_TRY(std::optional<compile::Explanation> explained, half->explain(source, stop));
      if (explained) return explained;
    }
  return for_candidates().explain(unit_, source, stop);
}

Result<void> Evaluator::compile_candidates_with(const CompileCommand& command) {
  other_compiler_ = std::make_unique<compile::Compiler>(runner_, command);
  HONE_TRY(other_unit_, other_compiler_->freeze(spec_));
  if (auto narrower = other_compiler_->for_device(architecture_)) other_compiler_ = std::move(narrower);
  return {};
}

Result<Verdict> Evaluator::run(const compile::Objects& candidate, const statistics::AcceptanceRule& rule,
                               std::stop_token stop) {
  return run(candidate, rule, bundle::Depth::trial, {}, stop);
}

Result<Verdict> Evaluator::verify(const compile::Objects& candidate, std::stop_token stop) {
  bundle::Bundle both = judged(candidate, bundle::Depth::trial);
  both.plan.task = bundle::Task::verify;
  return execute(both, stop);
}

Result<Verdict> Evaluator::verify_afresh(const std::string& source, std::stop_token stop) {
  HONE_TRY(auto compiled, compile(source, stop));
  if (auto* refused = std::get_if<Verdict>(&compiled)) return std::move(*refused);
  bundle::Bundle both = judged(std::get<compile::Objects>(compiled), bundle::Depth::held_out);
  both.plan.task = bundle::Task::verify;
  return execute(both, stop);
}

// A device's original takes nvcc some seconds to compile: only what may be linked is worth them.
bool Evaluator::wants_precise(bundle::Depth depth) const {
  return precise_.valid() && (!spec_.cuda || depth == bundle::Depth::held_out);
}

bundle::Bundle Evaluator::judged(const compile::Objects& candidate, bundle::Depth depth) const {
  bundle::Bundle both = bundle(bundle::Task::candidate);
  both.candidate = candidate.plain;
  both.sanitized_candidate = candidate.sanitized;
  both.race_checked_candidate = candidate.race_checked;
  if (candidate.sanitizer_runtime != original_.sanitizer_runtime)
    both.plan.candidate_sanitizer_preload = candidate.sanitizer_runtime;
  if (candidate.race_runtime != original_.race_runtime) both.plan.candidate_race_preload = candidate.race_runtime;
  both.plan.depth = depth;
  both.plan.constants = candidate.constants;
  both.plan.may_allocate = candidate.may_allocate;
  if (wants_precise(depth))
    if (const auto& precise = precise_.get()) {
      both.precise_reference = precise->object;
      both.precise_data = precise->data;
    }
  return both;
}

Result<Verdict> Evaluator::run(const compile::Objects& candidate, const statistics::AcceptanceRule& rule,
                               bundle::Depth depth, std::vector<bundle::Given> given, std::stop_token stop) {
  bundle::Bundle both = judged(candidate, depth);
  both.plan.rule = rule;
  both.plan.given.insert(both.plan.given.begin(), given.begin(), given.end());
  return execute(both, stop);
}

// The proof runs beside the compiles, and is over before anything is timed. What another compiler is told may change
// what the text means.
std::future<bundle::Proof> Evaluator::begin_proof(const std::string& source, bundle::Depth depth,
                                                  std::stop_token stop) {
  if (depth == bundle::Depth::trial || other_compiler_) return {};
  const double seconds = depth == bundle::Depth::held_out ? longest_proof : quick_proof;
  return std::async(std::launch::async, [this, source, seconds, stop] { return prover_.prove(source, seconds, stop); });
}

Result<Verdict> Evaluator::judge(const std::string& source, std::stop_token stop, bundle::Depth depth) {
  const auto start = std::chrono::steady_clock::now();
  auto refused = gate(source);
  if (refused) {
    refused->seconds = seconds_since(start);
    return *refused;
  }
  EitherStop proving(stop);
  std::future<bundle::Proof> proving_it = begin_proof(source, depth, proving.token());
  std::future<void> widening;  // beside the candidate's compile
  if (wants_precise(depth)) widening = std::async(std::launch::async, [this] { precise_.wait(); });
  auto compiled = compile(source, stop);
  if (!compiled || std::holds_alternative<Verdict>(*compiled)) proving.stop();
  if (!compiled) return tl::unexpected(compiled.error());
  if (Verdict* verdict = std::get_if<Verdict>(&*compiled)) return std::move(*verdict);
  InFile in_file;
  if (depth == bundle::Depth::held_out) {
    HONE_TRY(in_file, in_its_file(source, stop));
    if (in_file.refused) {
      proving.stop();
      return std::move(*in_file.refused);
    }
  }
  const bundle::Proof proof = proving_it.valid() ? proving_it.get() : bundle::Proof();
  std::vector<bundle::Given> given;
  if (proof.example) given.push_back(*proof.example);
  const auto& objects = in_file.other ? *in_file.other : std::get<compile::Objects>(*compiled);
  HONE_TRY(Verdict verdict, run(objects, statistics::rule_for_finals(), depth, std::move(given), stop));
  if (verdict.right) {  // else its reason has what the proof found, or more
    verdict.tried.proof = proof.in_words();
    if (const std::string why = proof.why_not(); !why.empty()) verdict.tried.note_not_tried("proof: " + why);
  }
  if (in_file.other && !verdict.right) verdict.reason = "as its file is compiled: " + verdict.reason;
  if (!spec_.cuda && !other_compiler_) verdict.tried.note_check("what the object brings");
  if (!in_file.said.empty()) (file_unit_ ? verdict.tried.checks : verdict.tried.not_tried).push_back(in_file.said);
  if (!in_file.said.empty()) verdict.detail += (verdict.detail.empty() ? "" : "\n") + in_file.said;
  verdict.seconds = seconds_since(start);
  return verdict;
}

Result<std::optional<ExecutionCounts>> Evaluator::count(const std::string& source, std::stop_token stop) {
  HONE_TRY(std::optional<std::string> object, compiler_.compile_for_counts(unit_, source, stop));
  if (!object) return std::optional<ExecutionCounts>();
  HONE_TRY(bundle::Answer answer, execute(counted(std::move(*object)), stop));
  return std::move(answer.counts);
}

Result<std::optional<bundle::Answer>> Evaluator::profile(const std::string& source, std::stop_token stop) {
  std::string object = original_.plain;
  if (source != unit_.definition) {
    HONE_TRY(auto compiled, for_candidates().compile(unit_, source, stop, compile::Builds::for_trial));
    auto* objects = std::get_if<compile::Objects>(&compiled);
    if (!objects) return std::optional<bundle::Answer>();
    object = std::move(objects->plain);
  }
  HONE_TRY(bundle::Answer answer, execute(counted(std::move(object)), stop));
  return std::optional(std::move(answer));
}

bundle::Bundle Evaluator::counted(std::string object) const {
  bundle::Bundle counted = bundle(bundle::Task::count);
  counted.plan.seed = 1;  // nothing is judged, and the same candidate should give the same prompt
  counted.candidate = std::move(object);
  return counted;
}

bundle::Bundle Evaluator::timed(const compile::Objects& first, const compile::Objects& second,
                                const statistics::AcceptanceRule& rule) const {
  bundle::Bundle both = bundle(bundle::Task::measure);
  both.reference = first.plain;
  both.candidate = second.plain;
  both.sanitized_reference.clear();
  both.race_checked_reference.clear();
  both.plan.rule = rule;
  return both;
}

bundle::Bundle Evaluator::bundle(bundle::Task task) const {
  bundle::Bundle bundle;
  bundle.kernel = spec_;
  bundle.data = spec_;
  bundle.plan.task = task;
  bundle.plan.finite_math = is_finite_math(command_);
  bundle.plan.flushes_denormals = flushes_denormals(command_);
  bundle.plan.seed = fresh_seed();
  if (task != bundle::Task::count) bundle.plan.given = captured_;
  bundle.plan.sanitizer_preload = original_.sanitizer_runtime;
  bundle.plan.race_preload = original_.race_runtime;
  bundle.plan.library_folders = compiler_.library_folders();
  bundle.reference = original_.plain;
  bundle.sanitized_reference = original_.sanitized;
  bundle.race_checked_reference = original_.race_checked;
  return bundle;
}

// What was compiled for one device is no other's to judge: a sentence where that is what happened, else "".
std::string Evaluator::foreign(const Verdict& verdict) const {
  if (!device_compiler_ || verdict.architecture.empty()) return {};
  if (images_for(spec_.target, verdict.architecture) == images_for(spec_.target, architecture_)) return {};
  return fmt::format("the executor's device is an {} now, where the original was judged on an {}", verdict.architecture,
                     architecture_);
}

// The executor may stumble (a connection, a queue, a process table that is full, another machine of a pool): a moment
// later it may not.
Result<bundle::Answer> Evaluator::execute(const bundle::Bundle& bundle, std::stop_token stop) {
  const auto run = [&]() -> Result<bundle::Answer> {
    HONE_TRY(bundle::Answer answer, executor_.run(bundle, stop));
    if (std::string why = foreign(answer); !why.empty())
      return failure(std::move(why), {}, "let it ask for devices of one kind, and search anew without --resume");
    return answer;
  };
  Result<bundle::Answer> answer = run();
  for (const double pause : {0.2, 1.0, 3.0}) {
    if (answer || !executor_.may_stumble() || !sleep(pause, stop)) break;
    answer = run();
  }
  return answer;
}

}  // namespace hone::tune
