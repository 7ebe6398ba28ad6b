#include "tool/tune/tuning.h"

#include <algorithm>

#include <fmt/format.h>

#include "cache/bound_source.h"
#include "cache/digest.h"
#include "tool/cuda/device_count.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/frontend/unit/clause_check.h"
#include "tool/llm/make_client.h"
#include "tool/lock/judged_on.h"
#include "tool/lock/measured_entries.h"
#include "tool/tune/model/learned.h"
#include "tool/tune/model/model_source.h"
#include "tool/tune/model/rejudge.h"
#include "tool/tune/model/run_header.h"
#include "tool/tune/profile/profiler.h"
#include "tool/tune/trial/finals.h"
#include "tool/tune/trial/pipeline.h"

namespace hone::tune {
namespace {

using report::KernelResult;
using report::Outcome;

// The original's verdict in the journal, among those that go by fingerprints.
const std::string original_entry = "original";

// Of the built-in proposer, where a model's strategy starts from it.
constexpr double seeding_share = 0.25;  // of the time
constexpr unsigned most_seeding_trials = 24;
constexpr std::size_t most_seeds = 3;

constexpr const char* why_prompts_differ = "another version wrote them, or other notes and templates went into them";

Deadline::Clock::duration in_ticks(double seconds) {
  return std::chrono::duration_cast<Deadline::Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Tuning::Tuning(const project::TuneOptions& options, const project::Settings& settings, const project::ProjectUnit& unit,
               const KernelSpec& spec, os::ProcessRunner& runner, report::Progress& progress, std::stop_token stop)
    : options_(options),
      settings_(settings),
      unit_(unit),
      spec_(spec),
      runner_(runner),
      progress_(progress),
      user_stop_(stop),
      ledger_(spec, unit.settings, [&progress](const std::string& line) { progress.note(line); }),
      start_(Deadline::Clock::now()),
      end_(seconds_from_now(settings.budget_seconds)),
      whole_(stop, end_) {
  result_.name = spec.name;
  result_.file = spec.file;
  result_.line = spec.line;
  result_.key = spec.key;
}

Result<KernelResult> Tuning::run() {
  progress_.begin({spec_.name, spec_.file, spec_.line, settings_.trials, settings_.budget_seconds});
  HONE_CHECK(passes());
  result_.seconds = seconds();
  progress_.end(result_);
  return result_;
}

Result<Tuning::Decided> Tuning::passes() {
  Decided decided = false;
  // Is the result known, here or in the store?
  HONE_TRY(decided, recall());
  if (decided) return true;
  // What will be sent where?
  if (!settings_.models.models.empty()) progress_.note(llm::describe(settings_.models));
  if (!spec_.own_launch.why_not.empty())
    progress_.note("'" + spec_.name + "' keeps its launches: " + spec_.own_launch.why_not);
  // Does every clause make sense to the compiler?
  if (refuse_annotation()) return true;
  // Freeze the unit and compile the original.
  HONE_TRY(decided, open_judge());
  if (decided) return true;
  // One process at a time searches with this key and seed.
  HONE_TRY(decided, open_journal());
  if (decided) return true;
  // Is the original deterministic, in bounds, clean under the sanitizers, and does the oracle tell it from nonsense?
  HONE_TRY(decided, refuse_original());
  if (decided) return true;
  // Propose, judge, evolve, until the budget ends.
  HONE_CHECK(search());
  // The fastest of the best, measured afresh: that figure counts.
  find_winner();
  // Store what was found, lock it.
  HONE_CHECK(keep());
  return true;
}

Result<Tuning::Decided> Tuning::recall() {
  if (options_.force) return false;
  const std::string here = code_here();
  HONE_TRY(const auto entry, ledger_.locked(here));
  if (entry) {
    take_figures(*entry);
    return decide(Outcome::already_tuned,
                  entry->variant ? "" : "an earlier search kept the original; --force searches again");
  }
  const auto record = ledger_.recorded(here);
  if (!record) return false;
  HONE_CHECK(ledger_.lock(*record));
  take_figures(*record);
  return decide(Outcome::recalled,
                record->variant ? "" : "an earlier search kept the original; --force searches again");
}

// The device whose code is asked about: where the file is compiled for several families and the device is known before
// anything runs on it. Else any result counts; --force asks for one of another family.
std::string Tuning::code_here() const {
  return lock::is_for_several_families(spec_) ? lock::device_architecture(spec_, is_here()) : "";
}

// Of several architectures' code candidates have one's alone, and verdicts of one are none of another's.
std::string Tuning::what_it_compiles_for() const {
  if (!lock::is_for_several_architectures(spec_)) return "";
  const std::string here = lock::device_architecture(spec_, is_here());
  return " for " + (here.empty() ? "the executor's device" : here);
}

Tuning::Decided Tuning::refuse_annotation() {
  const auto diagnostics = frontend::check_unit(spec_, unit_.command, options_.frontend);
  if (diagnostics.empty()) return false;
  for (const frontend::Diagnostic& diagnostic : diagnostics) progress_.note(diagnostic.rendered);
  return decide(Outcome::refused, "the annotation does not compile: " + diagnostics.front().message);
}

Result<Tuning::Decided> Tuning::open_judge() {
  HONE_TRY(executor_, bundle::make_executor(options_.executor, runner_));
  auto judge = Evaluator::open(spec_, unit_.command, options_.frontend, runner_, *executor_, whole_.token());
  if (whole_.stopped()) return interrupted();
  if (!judge) return tl::unexpected(judge.error());
  evaluator_ = std::move(*judge);
  if (is_here()) evaluator_->prepare_for_trials(lock::device_architecture(spec_, true), whole_.token());
  return false;
}

Result<Tuning::Decided> Tuning::open_journal() {
  const auto file = options_.build / "hone" / "runs" / fmt::format("{}-{}.jsonl", spec_.key, options_.seed);
  const RunIdentity identity{spec_.key, options_.seed, settings_.replayed ? "replay" : settings_.strategy.name,
                             evaluator_->compiler() + what_it_compiles_for()};
  auto journal = Journal::open(file, identity, options_.resume, whole_.token(),
                               [this](const std::string& line) { progress_.note(line); });
  if (whole_.stopped()) return interrupted();
  if (!journal) return tl::unexpected(journal.error());
  journal_.emplace(std::move(*journal));
  if (journal_->replayable()) progress_.note(fmt::format("resuming: {} verdicts are known", journal_->replayable()));
  // Whoever was waited for may have found it.
  return journal_->waited() ? recall() : false;
}

Result<Tuning::Decided> Tuning::refuse_original() {
  const Journal::Entry* known = journal_->find(original_entry);
  const auto verdict = known ? Result<Verdict>(known->verdict) : evaluator_->reference(whole_.token());
  if (whole_.stopped()) return interrupted();
  if (!verdict) return tl::unexpected(verdict.error());
  if (!known) {
    HONE_CHECK(journal_->append(original_entry, original_entry, cache::sha256(spec_.unit.definition),
                                evaluator_->original_object(), *verdict));
  }
  architecture_ = verdict->architecture;
  if (verdict->right) {
    // Elsewhere the verdict is the first to say what device there is.
    if (!is_here()) evaluator_->prepare_for_trials(architecture_, whole_.token());
    return false;
  }
  if (!verdict->detail.empty()) progress_.note(verdict->detail);
  return decide(Outcome::refused, "the original is not fit to be a reference: " + verdict->reason);
}

// The winner's own measurement comes out of the same budget: as long as the longest judgment, within reason. On a
// device as much again, for choosing among the best: on a processor that gains little.
Result<void> Tuning::search() {
  const double most = settings_.budget_seconds / 4;
  const auto end_of_search = [&] {
    return end_ - in_ticks(spec_.cuda ? std::min(2 * reserve_, 1.5 * most) : reserve_);
  };
  reserve_ = std::min(3.0, most);
  Deadline deadline(whole_.token(), end_of_search());
  const Reserve judged = [&](double seconds) {
    if (1.3 * seconds + 2 <= reserve_) return;
    reserve_ = std::min(1.3 * seconds + 2, most);
    deadline.move(end_of_search());
  };
  HONE_TRY(found_, settings_.replayed                ? search_again(deadline, judged)
                   : settings_.models.models.empty() ? search_builtin(deadline, judged)
                                                     : search_with_model(deadline, judged));
  result_.trials = found_.counts;
  if (found_.error && found_.accepted.empty()) return tl::unexpected(*found_.error);
  if (found_.ended_by_provider) result_.message = found_.ended_by_provider->message();
  return {};
}

// Choosing one candidate's constants may take a tenth of the time.
SearchLimits Tuning::limits() const {
  return {settings_.trials, std::max(2.0, settings_.budget_seconds / 30), settings_.budget_seconds / 10};
}

// On a processor another judgment beside the one that is timed would be felt; GPUs take turns by themselves.
Parallel Tuning::parallel() const {
  constexpr unsigned elsewhere = 4;
  if (options_.at_once > 0) return {settings_.jobs, options_.at_once};
  if (!spec_.cuda) return {settings_.jobs, 1};  // without asking the driver, which takes its time to start
  if (options_.executor != "local") return {settings_.jobs, elsewhere};
  const auto& devices = cuda::cuda_devices();
  return {settings_.jobs, devices ? static_cast<unsigned>(devices->size()) : 1};
}

Result<SearchOutcome> Tuning::search_builtin(Deadline& deadline, const Reserve& judged) {
  HONE_TRY(const auto workshop, frontend::Workshop::open(spec_, unit_.command, options_.frontend));
  search_ = search::make_builtin_search(settings_.strategy, workshop->survey(), options_.seed);
  const std::string original = frontend::fingerprint(spec_.unit.definition);
  Pipeline pipeline(*evaluator_, *workshop, *journal_, original, settings_.jobs, deadline.token());
  SearchLoop loop(*search_, *evaluator_, *journal_, pipeline, progress_, limits(), parallel().judgments, original);
  return loop.run(deadline, judged);
}

// What was learned since `before`. A memory that cannot be written costs the run nothing.
void Tuning::remember(const search::Memory& before, Recorder& recorder) {
  if (!options_.memory || before.entries() == search_->memory().entries()) return;
  const auto file = memory_file();
  if (!file) return;
  auto kept = add_to_memory(*file, before, search_->memory());
  if (kept) kept = recorder.append(Remembered{});  // a run that goes on from here adds only what is new
  if (!kept) progress_.note("what was learned is not remembered: " + kept.error().message());
}

// What a model's search starts from: the best that the built-in proposer finds in a quarter of the time.
Result<std::vector<Accepted>> Tuning::find_seeds(Deadline& deadline, const Reserve& judged) {
  if (!settings_.strategy.seeded) return std::vector<Accepted>{};
  HONE_TRY(const auto strategy, search::preset("builtin"));
  HONE_TRY(const auto workshop, frontend::Workshop::open(spec_, unit_.command, options_.frontend));
  const auto search = search::make_builtin_search(strategy, workshop->survey(), options_.seed);
  const std::string original = frontend::fingerprint(spec_.unit.definition);
  Deadline share(deadline.token(), seconds_from_now(settings_.budget_seconds * seeding_share));
  SearchLimits first = limits();
  first.trials = std::min(most_seeding_trials, settings_.trials);
  progress_.note(fmt::format("the built-in proposer first: at most {} candidates, {:.0f} s", first.trials,
                             settings_.budget_seconds * seeding_share));
  Pipeline pipeline(*evaluator_, *workshop, *journal_, original, settings_.jobs, share.token());
  SearchOutcome outcome =
      SearchLoop(*search, *evaluator_, *journal_, pipeline, progress_, first, parallel().judgments, original)
          .run(share, judged);
  if (outcome.error) return tl::unexpected(*outcome.error);
  progress_.note(fmt::format("the built-in proposer: {} candidates, {} right, {} faster", outcome.counts.total,
                             outcome.counts.right, outcome.counts.faster));
  if (outcome.accepted.size() > most_seeds) outcome.accepted.resize(most_seeds);
  // Its parents are that search's trials, and nobody's here.
  for (Accepted& seed : outcome.accepted)
    seed.candidate = {.source = seed.candidate.source, .name = seed.candidate.name, .thought = seed.candidate.thought};
  return std::move(outcome.accepted);
}

// Those of a recording, with the samples that the journal still has.
std::vector<Accepted> Tuning::known_seeds(const std::vector<search::Start::Known>& seeds) const {
  std::vector<Accepted> accepted;
  for (const auto& seed : seeds) {
    const Journal::Entry* known = journal_->find(frontend::fingerprint(seed.candidate.source));
    accepted.push_back({0, seed.candidate, known ? known->verdict : seed.verdict});
  }
  return accepted;
}

Result<SearchOutcome> Tuning::search_with_model(Deadline& deadline, const Reserve& judged) {
  const auto file = recording_file(options_.build, spec_.key, options_.seed);
  const auto earlier = options_.resume ? earlier_run(file, settings_) : std::nullopt;
  RecordingHeader header;
  std::vector<Accepted> seeded;
  if (earlier) {
    header = earlier->header;
    seeded = known_seeds(header.seeds);
  } else {
    HONE_TRY(header, describe_run(spec_, unit_, options_, settings_, *evaluator_, whole_.token(),
                                  [this](const std::string& line) { progress_.note(line); }));
    HONE_TRY(seeded, find_seeds(deadline, judged));
    for (const Accepted& seed : seeded) header.seeds.push_back({seed.candidate, without_samples(seed.verdict)});
    if (deadline.stopped()) return SearchOutcome{.accepted = std::move(seeded)};
  }
  search_ = search::make_model_search(settings_.strategy, start_of(header), options_.seed);
  Dialogue dialogue = open_dialogue(*search_, header, settings_);
  std::optional<Recorder> recorder;
  std::optional<Played> played;
  if (earlier) {
    HONE_TRY(played, play(*earlier, dialogue));
    recorder.emplace(file);
  } else {
    HONE_TRY(recorder, Recorder::create(file, header));
  }
  os::CurlHttpTransport http;
  const os::SteadyClock clock;
  HONE_TRY(const auto client,
           llm::make_client(settings_.models, {http, runner_, clock}, llm::own_environment(), options_.seed));
  Spending spending({options_.most_tokens, options_.most_cost});
  std::vector<std::string> seeds;
  for (const auto& seed : header.seeds) seeds.push_back(frontend::fingerprint(seed.candidate.source));
  ModelPorts::Profile profile;
  if (shows_profiles(settings_.strategy)) profile = Profiler(spec_, header.facts, *evaluator_, deadline.token());
  ModelSource loop({dialogue, *client, *evaluator_, *journal_, *recorder, spending, progress_, profile, options_.seed},
                 settings_.models, limits(), parallel(), seeds, frontend::fingerprint(spec_.unit.definition));
  const search::Memory remembered = played ? played->remembered : search_->memory();
  if (played && played->different_prompt)
    progress_.note(fmt::format("from request {} on the prompts are not the recorded ones: {}",
                               *played->different_prompt, why_prompts_differ));
  if (played) loop.resume(std::move(*played));
  SearchOutcome outcome = loop.run(deadline, judged);
  for (unsigned trial = 1; Accepted & seed : seeded) {
    seed.trial = trial++;
    outcome.accepted.push_back(std::move(seed));
  }
  outcome.sort();
  result_.spent = spending.spent();
  remember(remembered, *recorder);
  progress_.note("spent: " + spending.text());
  return outcome;
}

Result<SearchOutcome> Tuning::search_again(Deadline& deadline, const Reserve& judged) {
  HONE_TRY(const Recording recording, Recording::read(*settings_.replayed));
  if (recording.header.kernel != spec_.name)
    return failure(fmt::format("the recording is of {}, not of {}", recording.header.kernel, spec_.name),
                   *settings_.replayed, "name the kernel that it is of, or another recording");
  if (recording.header.key != spec_.key)
    progress_.note(
        "the recording is of another state of this kernel, or of another target: its replies are judged all the same");
  HONE_TRY(search_, search_of(recording.header));
  Dialogue dialogue = open_dialogue(*search_, recording.header, settings_);
  HONE_TRY(Played played, play(recording, dialogue));
  HONE_CHECK(os::write_file_atomically(
      options_.build / "hone" / "runs" / fmt::format("{}-{}.replay.jsonl", spec_.key, options_.seed),
      transcript(played)));
  if (played.different_prompt)
    progress_.note(fmt::format("from request {} on the prompts are not the recorded ones: {}", *played.different_prompt,
                               why_prompts_differ));
  progress_.note(fmt::format("replaying {} replies written by {}", played.trials.size(), recording.header.written_by));
  SearchLimits all = limits();
  all.trials += static_cast<unsigned>(recording.header.seeds.size());
  prepend_seeds(recording.header, played);
  return judge_again(played, *evaluator_, *journal_, progress_, all, parallel(), deadline, judged);
}

void Tuning::find_winner() {
  Winner winner = Finals(*evaluator_, unit_, spec_, options_.frontend, progress_, whole_, reserve_).run(found_);
  winner_ = winner.index;
  fresh_ = std::move(winner.fresh);
  if (!winner.message.empty()) result_.message = std::move(winner.message);
}

Result<void> Tuning::keep() {
  if (!winner_ && user_stop_.stop_requested()) {
    interrupted();
    return {};
  }
  if (!winner_ && found_.ended_by_provider) {
    decide(Outcome::failed, result_.message);
    return {};
  }
  if (!winner_ && found_.counts.total == 0 && !found_.complete) {
    decide(Outcome::interrupted, "the budget ended before a candidate was judged");
    return {};
  }
  if (!winner_ && !found_.accepted.empty() && (whole_.stopped() || found_.error)) {
    decide(Outcome::interrupted, "the search ended before a gain that it found could be measured afresh");
    return {};
  }
  if (options_.force) {
    HONE_TRY(const auto entry, ledger_.locked(architecture_));
    if (const std::string reason = entry ? why_it_stays(*entry) : ""; !reason.empty()) {
      take_figures(*entry);
      decide(Outcome::already_tuned, reason);
      return {};
    }
  }
  const lock::Record record = make_record();
  HONE_CHECK(ledger_.keep(record, winner_ ? candidate(*winner_).source : std::string()));
  take_figures(record);
  if (winner_) {
    decide(Outcome::tuned, result_.message);
  } else {
    decide(Outcome::original_kept, "no candidate was right and faster");
  }
  return {};
}

// "": this search found something better, or the locked one does not compile any more. Figures of two days do not
// compare: the two are timed beside each other, unless the time is up.
std::string Tuning::why_it_stays(const cache::LockEntry& locked) {
  if (!locked.variant) return "";
  if (!winner_) return "no candidate was right and faster: the locked variant stays";
  const std::string& found = candidate(*winner_).source;
  const auto source = ledger_.source(*locked.variant);
  if (!source || *source == found) return "";
  if (const auto faster = evaluator_->compare(found, *source, whole_.token()))
    return faster->low > 1 ? fmt::format("the locked variant stays: it is {:.2f}x [{:.2f}, {:.2f}] as fast as {}",
                                         faster->median, faster->low, faster->high, candidate(*winner_).name)
                           : "";
  if (!whole_.stopped()) return "";
  const Verdict& counts = fresh_ ? *fresh_ : found_.accepted[*winner_].verdict;
  return locked.speedup_low > counts.measurement.speedup.high
             ? fmt::format("the locked variant stays: by its figure it is faster than {}", candidate(*winner_).name)
             : "";
}

lock::Record Tuning::make_record() const {
  lock::Record record;
  record.key = spec_.key;
  record.kernel = spec_.name;
  record.signature = spec_.signature;
  record.target = spec_.target;
  record.proposer = settings_.proposer;
  record.strategy = settings_.replayed ? "replay" : settings_.strategy.name;
  record.seed = options_.seed;
  record.compiler = evaluator_->compiler();
  record.device = lock::device_name(spec_, is_here());
  record.executor = options_.executor;
  record.trials = found_.counts;
  record.seconds = seconds();
  record.measured_on = architecture_;
  record.evidence =
      fmt::format("{}: {}, {} trials", lock::verified_on(spec_, architecture_), record.compiler, found_.counts.total);
  if (!winner_) return record;

  const Accepted& accepted = found_.accepted[*winner_];
  const Candidate& winner = candidate(*winner_);
  const Verdict& counts = fresh_ ? *fresh_ : accepted.verdict;
  record.variant = cache::sha256(cache::bound_blob(winner.source, spec_.key));
  record.name = winner.name;
  record.thought = winner.thought;
  record.model = accepted.provenance.model;
  record.prompt = accepted.provenance.prompt;
  record.reply = accepted.provenance.reply;
  record.speedup = counts.measurement.speedup;
  record.measured_on = counts.architecture;
  record.evidence = lock::evidence(counts, spec_, record.compiler);
  record.lineage = lock::lineage(search_->trials(), accepted.trial);
  record.search = accepted.verdict;
  record.final = fresh_;
  return record;
}

void Tuning::take_figures(const lock::Record& record) {
  result_.accepted = record.variant.has_value();
  result_.variant = record.variant.value_or("");
  result_.speedup = record.speedup;
}

void Tuning::take_figures(const cache::LockEntry& entry) {
  result_.accepted = entry.variant.has_value();
  result_.variant = entry.variant.value_or("");
  result_.speedup = {entry.speedup, entry.speedup_low, entry.speedup_high};
}

Tuning::Decided Tuning::decide(Outcome outcome, std::string message) {
  result_.outcome = outcome;
  result_.message = std::move(message);
  return true;
}

Tuning::Decided Tuning::interrupted() {
  return decide(Outcome::interrupted, user_stop_.stop_requested()
                                          ? "stopped before anything was accepted; --resume goes on"
                                          : "the budget ended before the search began");
}

double Tuning::seconds() const {
  return std::chrono::duration<double>(Deadline::Clock::now() - start_).count();
}

}  // namespace hone::tune
