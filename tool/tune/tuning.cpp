#include "tool/tune/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/base/machine_kind.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/frontend/unit/clause_check.h"
#include "tool/llm/make_client.h"
#include "tool/lock/judged_on.h"
#include "tool/lock/measured_entries.h"
#include "tool/lock/strict_objection.h"
#include "tool/model/mixed_gain.h"
#include "tool/project/kernels.h"
#include "tool/tune/choice_in_front.h"
#include "tool/tune/shared_recall.h"
#include "tool/tune/trial/finals.h"
#include "tool/tune/winner_reduction.h"

namespace hone::tune {
namespace {

using report::KernelResult;
using report::Outcome;

// The original's verdict in the journal, among those that go by fingerprints.
const std::string original_entry = "original";

// What is known already may take so much of the time of a search that follows.
constexpr double most_for_known = 0.4;
// Where more is left than the winner's measurement needs, up to this share is used to reduce it.
constexpr double most_for_reduction = 0.25;

TuningTask with_slice(const TuningTask& task, Slice& own) {
  return {task.spec, task.unit, task.options, task.settings, task.slice ? task.slice : &own};
}

Deadline::Clock::duration in_ticks(double seconds) {
  return std::chrono::duration_cast<Deadline::Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Tuning::Tuning(const TuningTask& task, MakeExecutor make_executor, os::ProcessRunner& runner,
               report::Progress& progress, std::stop_token stop, shared::RecordOffers* offers)
    : task_(with_slice(task, own_)),
      make_executor_(std::move(make_executor)),
      runner_(runner),
      progress_(progress),
      offers_(offers),
      user_stop_(stop),
      ledger_(task.spec, task.unit, [&progress](const std::string& line) { progress.note(line); }),
      start_(slice().now()),
      end_(seconds_from(start_, task.settings.budget_seconds)),
      whole_(stop, end_, &slice()),
      all_over_(slice().all_over(), [this] { whole_.move(start_); }) {
  result_.name = task.spec.name;
  result_.file = task.spec.file;
  result_.line = task.spec.line;
  result_.key = task.spec.key;
}

Result<KernelResult> Tuning::run() {
  progress_.begin({.kernel = task_.spec.name,
                   .file = task_.spec.file,
                   .line = task_.spec.line,
                   .trials = task_.settings.trials,
                   .budget_seconds = task_.settings.budget_seconds,
                   .most_cost = task_.options.most_cost.value_or(0),
                   .most_tokens = task_.options.most_tokens.value_or(0)});
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
  // Does every clause make sense to the compiler? Freeze the unit and compile the original.
  HONE_TRY(decided, open());
  if (decided) return true;
  // One process at a time searches with this key and seed.
  HONE_TRY(decided, open_journal());
  if (decided) return true;
  // Is the original deterministic, in bounds, clean under the sanitizers, and does the oracle tell it from nonsense?
  HONE_TRY(decided, refuse_original());
  if (decided) return true;
  // Does a variant hold that was locked before an edit? Then no search is needed.
  HONE_TRY(decided, verify_what_is_known());
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
  HONE_TRY(auto entry, ledger_.locked(here));
  if (entry)
    if (const auto restored = ledger_.restore(*entry); !restored) progress_.note(restored.error().message());
  if (entry && !entry->unconfirmed && !entry->unfinished) {
    take_figures(*entry);
    return decide(Outcome::already_tuned,
                  entry->variant ? "" : "an earlier search kept the original; --force searches again");
  }
  const auto record = known(here);
  const bool is_final = record && record->is_final();
  if (entry && !is_final) return go_on_from(std::move(*entry));
  if (!record) return false;
  HONE_CHECK(ledger_.lock(*record));
  if (!is_final) {
    HONE_TRY(entry, ledger_.locked(here));
    return entry ? go_on_from(std::move(*entry)) : false;
  }
  take_figures(*record);
  return decide(Outcome::recalled,
                record->variant ? "" : "an earlier search kept the original; --force searches again");
}

// What an earlier search recorded here, else on a machine whose word the project takes.
std::optional<lock::Record> Tuning::known(const std::string& device) {
  auto here = ledger_.recorded(device);
  if ((here && here->is_final()) || !offers_) return here;
  SharedRecall shared = recall_shared(task_, *offers_, ledger_, device, progress_);
  offered_ = std::move(shared.to_verify);
  return shared.record && (shared.record->is_final() || !here) ? std::move(shared.record) : std::move(here);
}

Tuning::Decided Tuning::go_on_from(cache::LockEntry entry) {
  earlier_ = std::move(entry);
  if (!lock::is_vouched_for(*earlier_, task_.unit.settings.lock))
    progress_.note("it was locked on the word of a key that this project does not trust: judging it here");
  else
    progress_.note(earlier_->unfinished ? "the last search ended early: going on"
                                        : "the last search's variant was not measured afresh: going on");
  return false;
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

// Verdicts of one kind of machine say nothing of another. Elsewhere the original's verdict says which it was.
std::string Tuning::what_it_runs_on() const {
  if (!is_judged_here(task_)) return "";
  return " on " + (task_.spec.cuda ? lock::device_name(task_.spec, true) : processor_kind());
}

Tuning::Decided Tuning::refuse_annotation() {
  const auto diagnostics = frontend::check_unit(task_.spec, task_.unit.command, task_.options.frontend);
  if (diagnostics.empty()) return false;
  for (const frontend::Diagnostic& diagnostic : diagnostics) progress_.note(diagnostic.rendered);
  return decide(Outcome::refused, "the annotation does not compile: " + diagnostics.front().message);
}

Result<Tuning::Decided> Tuning::open() {
  const auto piece = slice().begin(whole_.token());
  if (!piece) return interrupted();
  if (refuse_annotation()) return true;
  return open_evaluator();
}

Result<Tuning::Decided> Tuning::open_evaluator() {
  HONE_TRY(executor_, make_executor_());
  auto evaluator =
      Evaluator::open(task_.spec, project::linked(task_.unit), project::options_for(task_.unit, task_.options.frontend),
                      runner_, *executor_, whole_.token());
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
                             evaluator_->compiler() + what_it_compiles_for() + what_it_runs_on()};
  const auto start = !task_.options.resume   ? Journal::Start::unless_done
                     : *task_.options.resume ? Journal::Start::go_on
                                             : Journal::Start::anew;
  // Waiting for another tuning is not on this one's budget.
  const double left = whole_.seconds_left();
  whole_.move(seconds_from(slice().now(), std::numeric_limits<double>::max()));
  auto journal =
      Journal::open(file, identity, start, user_stop_, [this](const std::string& line) { progress_.note(line); });
  end_ = seconds_from(slice().now(), left);
  move_end(end_);
  if (whole_.stopped()) return interrupted();
  if (!journal) return tl::unexpected(journal.error());
  journal_.emplace(std::move(*journal));
  if (journal_->replayable())
    progress_.note(fmt::format("resuming: {} verdicts of an earlier run are known{}", journal_->replayable(),
                               task_.options.resume ? "" : "; --no-resume judges anew"));
  // Whoever was waited for may have found it.
  return journal_->waited() ? recall() : false;
}

Result<Tuning::Decided> Tuning::refuse_original() {
  const auto piece = slice().begin(whole_.token());
  if (!piece) return interrupted();
  const Journal::Entry* known = journal_->find(original_entry);
  const auto verdict = known ? Result<Verdict>(known->verdict) : evaluator_->reference(whole_.token());
  if (whole_.stopped()) return interrupted();
  if (!verdict) return tl::unexpected(verdict.error());
  if (!known) {
    HONE_CHECK(journal_->append(original_entry, original_entry, cache::sha256(task_.spec.unit.definition),
                                evaluator_->original_object(), *verdict));
  }
  architecture_ = verdict->architecture;
  machine_ = verdict->machine;
  executor_->keep_to(machine_);
  if (verdict->right) {
    // Elsewhere the verdict is the first to say what device there is.
    if (!is_judged_here(task_)) evaluator_->prepare_for_trials(architecture_, whole_.token());
    return false;
  }
  if (!verdict->detail.empty()) progress_.note(verdict->detail);
  finish_journal();  // another day it may be fit
  return decide(Outcome::refused, "the original is not fit to be a reference: " + verdict->reason);
}

Result<Tuning::Decided> Tuning::verify_what_is_known() {
  if (earlier_) return false;  // this key's own entry takes part, and is nearer than what another key left
  std::vector<KnownVariant> known = earlier_winners(ledger_, code_here());
  // What a colleague recorded is of this very key.
  if (offered_)
    known.insert(known.begin(), {.source = *offered_, .what = "the shared store's variant", .elsewhere = true});
  // What only takes part leaves time for the search.
  const bool may_lock = std::ranges::any_of(known, &KnownVariant::may_lock) && !task_.options.force;
  const auto piece = slice().begin(whole_.token());
  if (!piece) return interrupted();
  const Deadline share(whole_.token(), may_lock ? end_ : start_ + in_ticks(most_for_known * planned_seconds()),
                       &slice());
  Finals finals(task_, *evaluator_, progress_, share, 0);
  HONE_TRY(known_, verify_known(std::move(known), task_.options.force, finals, *journal_, progress_, share));
  if (whole_.stopped()) return interrupted();
  return known_.locking ? lock_again(known_.verified[*known_.locking]) : false;
}

Result<Tuning::Decided> Tuning::lock_again(VerifiedVariant known) {
  found_.count(known.verdict);
  found_.accepted.push_back({0, known.candidate(), known.verdict});
  result_.trials = found_.counts;
  winner_ = 0;
  fresh_ = std::move(known.verdict);
  lock::Record record = make_record();
  record.search.reset();  // there was none
  HONE_CHECK(ledger_.keep(record, known.variant.source));
  take_figures(record);
  finish_journal();
  if (known.variant.elsewhere)
    return decide(Outcome::recalled, known.variant.what + " holds: locked after one verification; --force searches");
  return decide(
      Outcome::locked_again,
      known.variant.what + " still holds: locked again after one verification; --force searches all the same");
}

std::vector<search::Start::Known> Tuning::starts() const {
  std::vector<search::Start::Known> starts;
  for (const VerifiedVariant& one : known_.verified) starts.push_back({one.candidate(), without_samples(one.verdict)});
  return starts;
}

Result<void> Tuning::search() {
  progress_.phase(report::Phase::judging);
  opening_seconds_ = task_.settings.budget_seconds - whole_.seconds_left();
  slice().enter(Slice::Stage::searching);
  reserve_ = FinalsReserve(std::ranges::any_of(known_.verified, &VerifiedVariant::holds));
  const auto end_of_search = [&] { return end_ - in_ticks(reserve_.kept(planned_seconds())); };
  slice().reserve(reserve_.kept(planned_seconds()));
  Deadline deadline(whole_.token(), end_of_search(), &slice());
  const std::stop_callback over(slice().search_over(), [&] { deadline.move(start_); });
  const SearchRun::Judged judged = [&](double seconds, const Verdict& verdict) {
    reserve_.judged(seconds, verdict);
    if (verdict.faster) evaluator_->prepare_for_finals();
    slice().reserve(reserve_.kept(planned_seconds()));
    deadline.move(slice().search_over().stop_requested() ? start_ : end_of_search());
  };
  judge_locked();
  if (locked_) judged(locked_->verdict.seconds, locked_->verdict);
  SearchRun search(task_, {*evaluator_, *journal_, runner_, progress_}, deadline, judged, starts());
  HONE_TRY(SearchRun::Found run, search.run());
  out_of_time_ = deadline.stopped() || !run.surveyed;
  search_ = std::move(run.search);
  found_ = std::move(run.outcome);
  found_.complete &= run.surveyed;
  choose_by_size();
  if (locked_) take_part(*locked_);
  for (const VerifiedVariant& one : known_.verified)
    if (one.holds()) take_part({0, one.candidate(), one.verdict});
  result_.spent = run.spent;
  result_.trials = found_.counts;
  result_.failures = found_.setbacks.of_candidates();
  if (const std::string setbacks = found_.setbacks.text(); !setbacks.empty())
    progress_.note("came to nothing: " + setbacks);
  if (found_.error && found_.accepted.empty()) return tl::unexpected(*found_.error);
  if (!found_.enough.empty()) progress_.note("the search ends: " + found_.enough);
  result_.message = found_.ended_by_provider ? found_.ended_by_provider->message() : found_.enough;
  return {};
}

// What wins on some problems only, where nothing that wins on all is as good. Its winner's own measurement has its
// time.
void Tuning::choose_by_size() {
  const std::optional<Accepted> mixed = std::exchange(found_.mixed, std::nullopt);
  if (!mixed || found_.error || user_stop_.stop_requested()) return;
  const double known = found_.accepted.empty() ? 1 : found_.accepted.front().verdict.measurement.speedup.median;
  const double left = whole_.seconds_left() - reserve_.to_measure(planned_seconds());
  if (!mixed_gain(mixed->verdict.measurement).is_worth_it(known) || left < mixed->verdict.seconds) return;
  const auto piece = slice().begin(whole_.token());
  if (!piece) return;
  std::optional<Accepted> chosen = choice_in_front(task_, *evaluator_, *journal_, *mixed, whole_);
  if (!chosen) return;
  found_.count(chosen->verdict);
  progress_.note(fmt::format("{}: {}", chosen->candidate.name, chosen->verdict.reason));
  if (chosen->verdict.right && chosen->verdict.faster) take_part(std::move(*chosen));
}

// Beside what the search found.
void Tuning::take_part(Accepted known) {
  const auto same = [&](const Accepted& one) { return one.candidate.source == known.candidate.source; };
  if (std::ranges::any_of(found_.accepted, same)) return;
  found_.accepted.push_back(std::move(known));
  found_.sort();
}

// What is locked already takes part, also where the journal that led to it is elsewhere.
void Tuning::judge_locked() {
  const auto source = earlier_ && earlier_->variant ? ledger_.source(*earlier_->variant) : std::nullopt;
  if (!source) return;
  const Journal::Entry* known = journal_->find(frontend::fingerprint(*source));
  const auto piece = slice().begin(whole_.token());
  const auto verdict = known ? Result<Verdict>(known->verdict) : evaluator_->judge(*source, whole_.token());
  if (!verdict) return;
  locked_judged_ = true;
  if (verdict->right && verdict->faster)
    locked_ = Accepted{0, {.source = *source, .name = "the locked variant"}, *verdict};
  else
    progress_.note("the locked variant did not hold when it was measured again: " +
                   (verdict->reason.empty() ? "not faster" : verdict->reason));
}

void Tuning::find_winner() {
  if (!found_.accepted.empty()) take_turn_for_finals();
  progress_.phase(report::Phase::finals);
  const Finals::Reduce reduce = [this](const Accepted& best) -> std::optional<Accepted> {
    const double planned = planned_seconds();
    const double measuring = reserve_.to_measure(planned) + reserve_.to_measure_again(planned);
    const double seconds = std::min(whole_.seconds_left() - measuring, most_for_reduction * planned);
    if (seconds <= 0) return std::nullopt;
    const Deadline share(whole_.token(), seconds_from(slice().now(), seconds), &slice());
    return reduced(task_, *evaluator_, *journal_, best, found_.accepted, share);
  };
  const double kept = reserve_.to_measure(planned_seconds()) + reserve_.to_measure_again(planned_seconds()) +
                      reserve_.to_reduce(planned_seconds());
  const Finals::Choose choose = [this](const Accepted& mixed) { return with_choice(task_, mixed, whole_.token()); };
  Winner winner = Finals(task_, *evaluator_, progress_, whole_, kept).run(found_, reduce, choose);
  winner_ = winner.index;
  fresh_ = std::move(winner.fresh);
  misfit_ = std::move(winner.misfit);
  if (!winner.message.empty()) result_.message = std::move(winner.message);
}

Result<void> Tuning::keep() {
  if (!winner_ && user_stop_.stop_requested()) {
    interrupted();
    return {};
  }
  if (!winner_ && found_.error) return tl::unexpected(*found_.error);
  if (!winner_ && found_.ended_by_provider) {
    decide(Outcome::failed, result_.message);
    return {};
  }
  if (!winner_ && found_.counts.total == 0 && !found_.complete) {
    const bool has_own_budget = std::isinf(slice().planned());  // else no --budget is what it lacks
    end_without_result(Outcome::unfinished,
                       nothing_judged(has_own_budget ? opening_seconds_ : 0, task_.settings.budget_seconds));
    return {};
  }
  if (!winner_ && !found_.accepted.empty() && whole_.stopped()) {
    end_without_result(
        Outcome::unfinished,
        "the budget ended before a gain that was found could be measured afresh; the next tuning goes on");
    return {};
  }
  const bool none_ran = !winner_ && found_.counts.total > 0 && found_.counts.compiled == 0;
  if (task_.options.force || (earlier_ && !(earlier_->unconfirmed && locked_judged_))) {
    HONE_TRY(const auto entry, ledger_.locked(architecture_));
    if (const std::string reason = entry ? why_it_stays(*entry) : ""; !reason.empty()) {
      take_figures(*entry);
      if (entry->unfinished && !ended_early() && !none_ran) HONE_CHECK(ledger_.lock_as_finished(*entry));
      if (!ended_early()) finish_journal();
      decide(Outcome::already_tuned, reason);
      return {};
    }
  }
  if (none_ran) {
    const std::string none = found_.counts.total == 1
                                 ? "the only candidate could not be run"
                                 : fmt::format("none of {} different candidates could be run", found_.counts.total);
    decide(Outcome::refused, fmt::format("{}, so nothing is known and nothing is locked; the first was refused: {}",
                                         none, found_.first_refusal));
    return {};
  }
  // The key does not know the file: what is locked would count for another file, and for this one when it is mended.
  if (!winner_ && !misfit_.empty()) {
    decide(Outcome::refused,
           fmt::format("faster candidates were found, none of them fits into its file, and nothing is "
                       "locked; mend the file, or try another --seed; the first: {}",
                       misfit_));
    return {};
  }
  const lock::Record record = make_record();
  HONE_CHECK(ledger_.keep(record, winner_ ? candidate(*winner_).source : std::string()));
  take_figures(record);
  if (!record.unfinished && !record.unconfirmed()) finish_journal();
  if (winner_) {
    if (record.unfinished && result_.message.empty()) result_.message = ended_after();
    decide(Outcome::tuned, result_.message);
  } else if (record.unfinished) {
    decide(Outcome::unfinished, ended_after());
  } else {
    const std::string why = found_.counts.total == 0 ? "no candidate that differs from the original was proposed"
                                                     : "no candidate was right and faster";
    decide(Outcome::original_kept, found_.enough.empty() ? why : why + "; " + found_.enough);
  }
  return {};
}

// A journal that says nothing of its end is gone on with, which costs some time and no rightness.
void Tuning::finish_journal() {
  if (const auto finished = journal_->finish(); !finished) progress_.note(finished.error().message());
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

Tuning::Decided Tuning::decide(Outcome outcome, std::string message) {
  result_.outcome = outcome;
  result_.message = std::move(message);
  return true;
}

}  // namespace hone::tune
