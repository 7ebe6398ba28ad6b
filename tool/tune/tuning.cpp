#include "tool/tune/tuning.h"

#include <algorithm>

#include <fmt/format.h>

#include "cache/bound_source.h"
#include "cache/digest.h"
#include "tool/frontend/unit/clause_check.h"
#include "tool/llm/make_client.h"
#include "tool/lock/judged_on.h"
#include "tool/lock/measured_entries.h"
#include "tool/tune/trial/finals.h"

namespace hone::tune {
namespace {

using report::KernelResult;
using report::Outcome;

// The original's verdict in the journal, among those that go by fingerprints.
const std::string original_entry = "original";

Deadline::Clock::duration in_ticks(double seconds) {
  return std::chrono::duration_cast<Deadline::Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Tuning::Tuning(const TuningTask& task, os::ProcessRunner& runner, report::Progress& progress, std::stop_token stop)
    : task_(task),
      runner_(runner),
      progress_(progress),
      user_stop_(stop),
      ledger_(task.spec, task.unit, [&progress](const std::string& line) { progress.note(line); }),
      start_(Deadline::Clock::now()),
      end_(seconds_from_now(task.settings.budget_seconds)),
      whole_(stop, end_) {
  result_.name = task.spec.name;
  result_.file = task.spec.file;
  result_.line = task.spec.line;
  result_.key = task.spec.key;
}

Result<KernelResult> Tuning::run() {
  progress_.begin(
      {task_.spec.name, task_.spec.file, task_.spec.line, task_.settings.trials, task_.settings.budget_seconds});
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
  if (!task_.settings.models.models.empty()) progress_.note(llm::describe(task_.settings.models));
  if (!task_.spec.own_launch.why_not.empty())
    progress_.note("'" + task_.spec.name + "' keeps its launches: " + task_.spec.own_launch.why_not);
  // Does every clause make sense to the compiler?
  if (refuse_annotation()) return true;
  // Freeze the unit and compile the original.
  HONE_TRY(decided, open_evaluator());
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
  if (task_.options.force) return false;
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

// The device whose code is asked about, where the file is compiled for several families and the device is known before
// anything runs on it. "" elsewhere: any result counts, and --force asks for one of another family.
std::string Tuning::code_here() const {
  return lock::is_for_several_families(task_.spec) ? lock::device_architecture(task_.spec, is_judged_here(task_)) : "";
}

// Where the project compiles for several architectures, candidates are compiled for one of them, and the journal of one
// says nothing of another.
std::string Tuning::what_it_compiles_for() const {
  if (!lock::is_for_several_architectures(task_.spec)) return "";
  const std::string here = lock::device_architecture(task_.spec, is_judged_here(task_));
  return " for " + (here.empty() ? "the executor's device" : here);
}

Tuning::Decided Tuning::refuse_annotation() {
  const auto diagnostics = frontend::check_unit(task_.spec, task_.unit.command, task_.options.frontend);
  if (diagnostics.empty()) return false;
  for (const frontend::Diagnostic& diagnostic : diagnostics) progress_.note(diagnostic.rendered);
  return decide(Outcome::refused, "the annotation does not compile: " + diagnostics.front().message);
}

Result<Tuning::Decided> Tuning::open_evaluator() {
  HONE_TRY(executor_, bundle::make_executor(task_.options.executor, runner_));
  auto evaluator =
      Evaluator::open(task_.spec, task_.unit.command, task_.options.frontend, runner_, *executor_, whole_.token());
  if (whole_.stopped()) return interrupted();
  if (!evaluator) return tl::unexpected(evaluator.error());
  evaluator_ = std::move(*evaluator);
  if (is_judged_here(task_))
    evaluator_->prepare_for_trials(lock::device_architecture(task_.spec, true), whole_.token());
  return false;
}

Result<Tuning::Decided> Tuning::open_journal() {
  const auto file =
      task_.options.build / "hone" / "runs" / fmt::format("{}-{}.jsonl", task_.spec.key, task_.options.seed);
  const RunIdentity identity{task_.spec.key, task_.options.seed,
                             task_.settings.replayed ? "replay" : task_.settings.strategy.name,
                             evaluator_->compiler() + what_it_compiles_for()};
  auto journal = Journal::open(file, identity, task_.options.resume, whole_.token(),
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
    HONE_CHECK(journal_->append(original_entry, original_entry, cache::sha256(task_.spec.unit.definition),
                                evaluator_->original_object(), *verdict));
  }
  architecture_ = verdict->architecture;
  if (verdict->right) {
    // Elsewhere the verdict is the first to say what device there is.
    if (!is_judged_here(task_)) evaluator_->prepare_for_trials(architecture_, whole_.token());
    return false;
  }
  if (!verdict->detail.empty()) progress_.note(verdict->detail);
  return decide(Outcome::refused, "the original is not fit to be a reference: " + verdict->reason);
}

// The winner's own measurement comes out of the same budget: as long as the longest judgment, within reason. On a
// device as much again, for choosing among the best: on a processor that gains little.
Result<void> Tuning::search() {
  const double most = task_.settings.budget_seconds / 4;
  const auto end_of_search = [&] {
    return end_ - in_ticks(task_.spec.cuda ? std::min(2 * reserve_, 1.5 * most) : reserve_);
  };
  reserve_ = std::min(3.0, most);
  Deadline deadline(whole_.token(), end_of_search());
  const SearchRun::Judged judged = [&](double seconds) {
    if (1.3 * seconds + 2 <= reserve_) return;
    reserve_ = std::min(1.3 * seconds + 2, most);
    deadline.move(end_of_search());
  };
  SearchRun search(task_, {*evaluator_, *journal_, runner_, progress_}, deadline, judged);
  HONE_TRY(SearchRun::Found found, search.run());
  search_ = std::move(found.search);
  found_ = std::move(found.outcome);
  result_.spent = found.spent;
  result_.trials = found_.counts;
  if (found_.error && found_.accepted.empty()) return tl::unexpected(*found_.error);
  if (found_.ended_by_provider) result_.message = found_.ended_by_provider->message();
  return {};
}

void Tuning::find_winner() {
  Winner winner = Finals(task_, *evaluator_, progress_, whole_, reserve_).run(found_);
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
  if (!winner_ && found_.counts.total > 0 && found_.counts.compiled == 0) {
    decide(Outcome::refused, fmt::format("none of {} candidates could be run, so nothing is known and nothing is "
                                         "locked; the first was refused: {}",
                                         found_.counts.total, found_.first_refusal));
    return {};
  }
  if (!winner_ && !found_.accepted.empty() && (whole_.stopped() || found_.error)) {
    decide(Outcome::interrupted, "the search ended before a gain that it found could be measured afresh");
    return {};
  }
  if (task_.options.force) {
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
  record.key = task_.spec.key;
  record.kernel = task_.spec.name;
  record.signature = task_.spec.signature;
  record.target = task_.spec.target;
  record.proposer = task_.settings.proposer;
  record.strategy = task_.settings.replayed ? "replay" : task_.settings.strategy.name;
  record.seed = task_.options.seed;
  record.compiler = evaluator_->compiler();
  record.device = lock::device_name(task_.spec, is_judged_here(task_));
  record.executor = task_.options.executor;
  record.trials = found_.counts;
  record.seconds = seconds();
  record.measured_on = architecture_;
  record.evidence = fmt::format("{}: {}, {} trials", lock::verified_on(task_.spec, architecture_), record.compiler,
                                found_.counts.total);
  if (!winner_) return record;

  const Accepted& accepted = found_.accepted[*winner_];
  const Candidate& winner = candidate(*winner_);
  const Verdict& counts = fresh_ ? *fresh_ : accepted.verdict;
  record.variant = cache::sha256(cache::bound_blob(winner.source, task_.spec.key));
  record.name = winner.name;
  record.thought = winner.thought;
  record.model = accepted.provenance.model;
  record.prompt = accepted.provenance.prompt;
  record.reply = accepted.provenance.reply;
  record.speedup = counts.measurement.speedup;
  record.measured_on = counts.architecture;
  record.evidence = lock::evidence(counts, task_.spec, record.compiler);
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
