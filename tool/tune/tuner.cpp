#include "tool/tune/tuner.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/os/clock.h"
#include "tool/report/console.h"
#include "tool/search/search.h"
#include "tool/tune/device.h"
#include "tool/tune/ledger.h"
#include "tool/tune/pipeline.h"
#include "tool/tune/record.h"
#include "tool/tune/search_loop.h"

namespace hone::tune {
namespace {

using report::KernelResult;
using report::Outcome;

// Options of the command line over what hone_target() said of the target.
struct Settings {
  search::Strategy strategy;
  std::string proposer;
  unsigned trials = 45;
  double budget_seconds = 600;
  unsigned jobs = 1;
};

Result<search::Strategy> strategy_named(const std::string& name) {
  if (name.empty() || name == "auto") return search::preset("builtin");
  if (!name.ends_with(".json")) return search::preset(name);
  HONE_TRY(const std::string text, os::read_file(name));
  auto strategy = search::parse_strategy(text);
  if (!strategy) strategy.error().where = name + ": " + strategy.error().where;
  return strategy;
}

Result<Settings> settle(const TuneOptions& options, const TargetSettings& target) {
  Settings settings;
  settings.proposer = options.proposer.empty() ? target.proposer : options.proposer;
  if (settings.proposer != "builtin")
    return failure(fmt::format("there is no proposer '{}'", settings.proposer), "", "choose one of builtin");
  HONE_TRY(settings.strategy, strategy_named(options.strategy.empty() ? target.strategy : options.strategy));
  settings.trials = options.trials.value_or(target.trials);
  if (options.budget_seconds) {
    settings.budget_seconds = *options.budget_seconds;
  } else {
    HONE_TRY(settings.budget_seconds, parse_duration(target.budget));
  }
  const unsigned cores = std::max(std::thread::hardware_concurrency(), 2u);
  settings.jobs = options.jobs ? options.jobs : cores - 1;  // one core is the judge's
  return settings;
}

// One kernel's way through the passes.
class Tuning {
 public:
  Tuning(const TuneOptions& options, const Settings& settings, const ProjectUnit& unit, const KernelSpec& spec,
         os::ProcessRunner& runner, report::Progress& progress, std::stop_token stop)
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

  Result<KernelResult> run() {
    auto done = passes();
    if (!done) return tl::unexpected(done.error());
    result_.seconds = std::chrono::duration<double>(Deadline::Clock::now() - start_).count();
    progress_.end(result_);
    return result_;
  }

 private:
  // Each pass returns true when the kernel's fate is known.
  Result<void> passes() {
    progress_.begin({spec_.name, spec_.file, spec_.line, settings_.trials, settings_.budget_seconds});
    // Is the result known already, here or in the store?
    HONE_TRY(bool known, recall());
    if (known) return {};
    // Does every clause make sense to the compiler?
    if (refuse_annotation()) return {};
    // Freeze the unit and compile the original.
    HONE_TRY(executor_, evaluate::make_executor(options_.executor, runner_));
    auto judge = Judge::open(spec_, unit_.command, options_.frontend, runner_, *executor_, whole_.token());
    if (!judge) return whole_.stopped() ? interrupted() : tl::unexpected(judge.error());
    judge_ = std::move(*judge);
    // One process at a time searches with this key and seed; whoever waited looks again.
    HONE_TRY(bool taken, take_journal());
    if (taken) return {};
    // Is the original deterministic, in bounds, clean under the sanitizers, and told from nonsense by the oracle?
    HONE_TRY(bool refused, refuse_original());
    if (refused) return {};
    // Propose, judge, evolve.
    HONE_CHECK(search());
    // Measure the winner afresh: that figure counts.
    HONE_CHECK(confirm());
    // Keep what was found: store, lock file.
    return keep();
  }

  Result<bool> recall() {
    if (options_.force) return false;
    HONE_TRY(const auto entry, ledger_.locked());
    if (entry) {
      result_.outcome = Outcome::already_tuned;
      result_.accepted = entry->variant.has_value();
      result_.variant = entry->variant.value_or("");
      result_.speedup = {entry->speedup, entry->speedup_low, entry->speedup_high};
      if (!entry->variant) result_.message = "an earlier search kept the original (--force searches again)";
      return true;
    }
    const auto record = ledger_.recorded();
    if (!record) return false;
    HONE_CHECK(ledger_.lock(*record));
    result_.outcome = Outcome::recalled;
    take_figures(*record);
    return true;
  }

  bool refuse_annotation() {
    const auto diagnostics = frontend::check_unit(spec_, unit_.command, options_.frontend);
    if (diagnostics.empty()) return false;
    for (const frontend::Diagnostic& diagnostic : diagnostics) progress_.note(diagnostic.rendered);
    return refuse("the annotation does not compile: " + diagnostics.front().message);
  }

  Result<bool> take_journal() {
    const auto file = options_.build / "hone" / "runs" / fmt::format("{}-{}.jsonl", spec_.key, options_.seed);
    auto journal = Journal::open(file, {spec_.key, options_.seed, settings_.strategy.name, judge_->compiler()},
                                 options_.resume, user_stop_, [&](const std::string& line) { progress_.note(line); });
    if (!journal && user_stop_.stop_requested()) {
      HONE_CHECK(interrupted());
      return true;
    }
    if (!journal) return tl::unexpected(journal.error());
    journal_.emplace(std::move(*journal));
    if (journal_->replayable()) progress_.note(fmt::format("resuming: {} verdicts are known", journal_->replayable()));
    return journal_->waited() ? recall() : false;
  }

  Result<bool> refuse_original() {
    static const std::string name = "original";
    const Verdict* known = journal_->find(name);
    auto verdict = known ? Result<Verdict>(*known) : judge_->reference(whole_.token());
    if (whole_.stopped()) {
      HONE_CHECK(interrupted());
      return true;
    }
    if (!verdict) return tl::unexpected(verdict.error());
    if (!known) HONE_CHECK(journal_->append(name, name, cache::sha256(spec_.unit.definition), *verdict));
    sandbox_ = verdict->sandbox;
    if (verdict->right) return false;
    if (!verdict->detail.empty()) progress_.note(verdict->detail);
    return refuse("the original is not fit to be a reference: " + verdict->reason);
  }

  Result<void> search() {
    HONE_TRY(auto workshop, frontend::Workshop::open(spec_, unit_.command, options_.frontend));
    search_ = search::make_builtin_search(settings_.strategy, workshop->survey(), options_.seed);
    // The winner's own measurement comes out of the same budget: as long as the longest judgement, within reason.
    const double most = settings_.budget_seconds / 4;
    double reserve = std::min(2.0, most);
    Deadline deadline(whole_.token(), end_ - in_ticks(reserve));
    const std::string original = frontend::fingerprint(spec_.unit.definition);
    Pipeline pipeline(*judge_, *workshop, *journal_, original, settings_.jobs, deadline.token());
    SearchLoop loop(*search_, *judge_, *journal_, pipeline, progress_, settings_.trials, original);
    found_ = loop.run(deadline, [&](double seconds) {
      if (1.3 * seconds + 1 <= reserve) return;
      reserve = std::min(1.3 * seconds + 1, most);
      deadline.move(end_ - in_ticks(reserve));
    });
    result_.trials = found_.counts;
    if (found_.error && found_.accepted.empty()) return tl::unexpected(*found_.error);
    return {};
  }

  // Wrong or no longer faster at the second look: the next best. Three are enough: the fourth was never far ahead.
  Result<void> confirm() {
    const std::size_t most = std::min<std::size_t>(found_.accepted.size(), 3);
    for (std::size_t i = 0; i < most && !whole_.stopped() && !found_.error; ++i) {
      const Candidate& candidate = search_->trials()[found_.accepted[i].trial].candidate;
      const auto verdict = judge_->judge(candidate.source, whole_.token());
      if (whole_.stopped()) break;
      if (!verdict) {
        found_.error = verdict.error();
        break;
      }
      if (verdict->right && verdict->faster) {
        winner_ = i;
        fresh_ = *verdict;
        return {};
      }
      progress_.note(fmt::format("{} did not hold when it was measured again: {}", candidate.name,
                                 verdict->reason.empty() ? "not faster" : verdict->reason));
    }
    if (found_.accepted.empty() || (!whole_.stopped() && !found_.error)) return {};
    // No time for a second look: the first one was a whole one.
    winner_ = 0;
    result_.message = found_.error ? "locked as the search measured it: " + found_.error->message()
                                   : "stopped before it was measured afresh: locked as the search measured it";
    return {};
  }

  Result<void> keep() {
    if (!winner_ && user_stop_.stop_requested()) return interrupted();
    if (!winner_ && found_.counts.total == 0 && !found_.complete) {
      result_.message = "the budget ended before a candidate was judged";
      result_.outcome = Outcome::interrupted;
      return {};
    }
    const Record record = make_record();
    HONE_CHECK(ledger_.keep(record, winner_ ? winner().source : std::string()));
    result_.outcome = winner_ ? Outcome::tuned : Outcome::original_kept;
    if (!winner_ && result_.message.empty()) result_.message = "no candidate was right and faster";
    take_figures(record);
    return {};
  }

  const Candidate& winner() const { return search_->trials()[found_.accepted[*winner_].trial].candidate; }

  Record make_record() const {
    Record record;
    record.kernel = spec_.name;
    record.signature = spec_.signature;
    record.target = spec_.target;
    record.proposer = settings_.proposer;
    record.strategy = settings_.strategy.name;
    record.seed = options_.seed;
    record.compiler = judge_->compiler();
    record.device = processor_name();
    record.executor = options_.executor;
    record.trials = found_.counts;
    record.seconds = std::chrono::duration<double>(Deadline::Clock::now() - start_).count();
    record.evidence = fmt::format("cpu: {}, {} trials", record.compiler, found_.counts.total);
    if (!winner_) return record;

    const Accepted& accepted = found_.accepted[*winner_];
    record.search = accepted.verdict;
    record.final = fresh_;
    const Verdict& counts = fresh_ ? *fresh_ : accepted.verdict;
    record.variant = cache::sha256(winner().source);
    record.name = winner().name;
    record.thought = winner().thought;
    record.speedup = counts.measurement.speedup;
    record.evidence = evidence(counts, record.compiler);
    record.lineage = lineage(accepted.trial);
    return record;
  }

  // All ancestors, eldest first.
  std::vector<Ancestor> lineage(unsigned trial) const {
    std::set<unsigned> reached{trial}, open{trial};
    while (!open.empty()) {
      const unsigned at = *open.begin();
      open.erase(open.begin());
      for (const unsigned parent : search_->trials()[at].candidate.parents)
        if (reached.insert(parent).second) open.insert(parent);
    }
    std::vector<Ancestor> ancestors;
    for (const unsigned number : reached) {
      if (number == 0) continue;
      const search::Trial& one = search_->trials()[number];
      ancestors.push_back({number, one.candidate.operator_name, one.candidate.name, one.candidate.parents,
                           one.verdict.measurement.speedup, cache::sha256(one.candidate.source)});
    }
    return ancestors;
  }

  void take_figures(const Record& record) {
    result_.accepted = record.variant.has_value();
    result_.variant = record.variant.value_or("");
    result_.speedup = record.speedup;
  }

  bool refuse(std::string why) {
    result_.outcome = Outcome::refused;
    result_.message = std::move(why);
    return true;
  }

  Result<void> interrupted() {
    result_.outcome = Outcome::interrupted;
    result_.message = user_stop_.stop_requested() ? "stopped before anything was accepted; --resume goes on"
                                                  : "the budget ended before the original was judged";
    return {};
  }

  static Deadline::Clock::duration in_ticks(double seconds) {
    return std::chrono::duration_cast<Deadline::Clock::duration>(std::chrono::duration<double>(seconds));
  }

  const TuneOptions& options_;
  const Settings& settings_;
  const ProjectUnit& unit_;
  const KernelSpec& spec_;
  os::ProcessRunner& runner_;
  report::Progress& progress_;
  std::stop_token user_stop_;
  Ledger ledger_;
  Deadline::Clock::time_point start_, end_;
  Deadline whole_;  // the budget, or the user
  std::unique_ptr<evaluate::Executor> executor_;
  std::unique_ptr<Judge> judge_;
  std::optional<Journal> journal_;
  std::unique_ptr<search::Search> search_;
  SearchOutcome found_;
  std::optional<std::size_t> winner_;  // in found_.accepted
  std::optional<Verdict> fresh_;
  std::string sandbox_;
  KernelResult result_;
};

}  // namespace

Tuner::Tuner(TuneOptions options, os::ProcessRunner& runner, report::Progress& progress)
    : options_(std::move(options)), runner_(runner), progress_(progress) {}

Result<KernelResult> Tuner::tune(const ProjectUnit& unit, const KernelSpec& spec, std::stop_token stop) {
  HONE_TRY(const Settings settings, settle(options_, unit.settings));
  return Tuning(options_, settings, unit, spec, runner_, progress_, stop).run();
}

Result<void> tune_unit(const ProjectUnit& unit, const TuneOptions& options, report::Progress& progress,
                       std::stop_token stop) {
  HONE_TRY(const auto found, frontend::find_kernels(unit.command, options.frontend));
  os::PosixProcessRunner runner;
  Tuner tuner(options, runner, progress);
  for (const frontend::FoundKernel& kernel : found.kernels) HONE_CHECK(tuner.tune(unit, kernel.spec, stop));
  return {};
}

Result<void> tune_unit(const ProjectUnit& unit, const std::filesystem::path& build) {
  os::SteadyClock clock;
  report::Console console(stderr, {.live = false, .color = false, .trials = false}, clock);
  TuneOptions options;
  options.build = build;
  options.resume = true;
  return tune_unit(unit, options, console);
}

Result<double> parse_duration(const std::string& text) {
  double total = 0;
  std::size_t at = 0;
  do {
    std::size_t length = 0;
    double number = -1;
    try {
      number = std::stod(text.substr(at), &length);
    } catch (const std::exception&) {
    }
    at += length;
    const char unit = at < text.size() ? text[at++] : 's';
    const double scale = unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 3600 : 0;
    if (!(number >= 0) || !std::isfinite(number) || scale == 0 || length == 0)
      return failure(fmt::format("'{}' is not a time", text), "", "write 90s, 10m or 1h30m");
    total += number * scale;
  } while (at < text.size());
  if (total <= 0) return failure(fmt::format("'{}' is no time at all", text), "", "write 90s, 10m or 1h30m");
  return total;
}

}  // namespace hone::tune
