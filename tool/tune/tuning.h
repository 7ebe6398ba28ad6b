// One kernel's way through the tuning passes: the order stands in run().
//
// Made for one kernel, run once. Everything given is borrowed. See tuner.h for what it writes and promises.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "tool/lock/ledger.h"
#include "tool/report/progress.h"
#include "tool/shared/record_offers.h"
#include "tool/tune/known_variants.h"
#include "tool/tune/search_run.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/finals_reserve.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

class Tuning {
 public:
  // Asked once, where something is to be judged.
  using MakeExecutor = std::function<Result<std::unique_ptr<bundle::Executor>>()>;

  // `offers`: of the team's store; null: there is none.
  Tuning(const TuningTask& task, MakeExecutor make_executor, os::ProcessRunner& runner, report::Progress& progress,
         std::stop_token stop, shared::RecordOffers* offers = nullptr);

  Result<report::KernelResult> run();

 private:
  // Whether the kernel's fate is known, so that no further pass is needed.
  using Decided = bool;

  Result<Decided> passes();
  Result<Decided> recall();
  std::optional<lock::Record> known(const std::string& device);
  Decided go_on_from(cache::LockEntry entry);
  std::string code_here() const;
  std::string what_it_compiles_for() const;
  std::string what_it_runs_on() const;
  Decided refuse_annotation();
  Result<Decided> open();
  Result<Decided> open_evaluator();
  Result<Decided> open_journal();
  Result<Decided> refuse_original();
  Result<Decided> verify_what_is_known();
  Result<Decided> lock_again(VerifiedVariant known);
  std::vector<search::Start::Known> starts() const;
  Result<void> search();
  void judge_locked();
  void take_part(Accepted known);
  void find_winner();
  void choose_by_size();
  void take_turn_for_finals();
  void move_end(Deadline::Clock::time_point end);
  double planned_seconds() const;
  Result<void> keep();
  bool ended_early() const;
  std::string ended_after() const;
  void finish_journal();
  std::string why_it_stays(const cache::LockEntry& locked);

  Slice& slice() const { return *task_.slice; }
  const Candidate& candidate(std::size_t accepted) const { return found_.accepted[accepted].candidate; }
  lock::Record make_record() const;
  void take_origin(lock::Record& record) const;
  std::optional<lock::Record> origin_of(const std::string& source) const;
  void take_figures(const lock::Record& record);
  void take_figures(const cache::LockEntry& entry);
  Decided decide(report::Outcome outcome, std::string message);
  Decided interrupted();
  Decided end_without_result(report::Outcome outcome, std::string message);
  double seconds() const;

  Slice own_;  // where the task brings none
  const TuningTask task_;
  const MakeExecutor make_executor_;
  os::ProcessRunner& runner_;
  report::Progress& progress_;
  shared::RecordOffers* const offers_;
  std::stop_token user_stop_;
  lock::Ledger ledger_;
  Deadline::Clock::time_point start_, end_;
  double opening_seconds_ = 0;                          // until the search began
  Deadline whole_;                                      // the budget's end or the user, whichever comes first
  std::stop_callback<std::function<void()>> all_over_;  // the budget of all kernels together ends that, too
  std::unique_ptr<bundle::Executor> executor_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Journal> journal_;
  KnownVariants known_;             // of before the search
  std::optional<Accepted> locked_;  // its variant, where that still holds
  bool locked_judged_ = false;
  bool out_of_time_ = false;
  std::optional<std::string> offered_;       // what the team's store has for this key, on nobody's word that counts
  std::optional<cache::LockEntry> earlier_;  // what an earlier search locked, and did not come to an end with
  std::unique_ptr<search::Search> search_;
  FinalsReserve reserve_;
  SearchOutcome found_;
  std::optional<std::size_t> winner_;  // in found_.accepted
  std::optional<Verdict> fresh_;       // the winner's, measured afresh
  std::string misfit_;                 // Winner::misfit
  std::string machine_;                // that the original was judged on: Verdict::machine
  std::string architecture_;           // of the device that the original was judged on; "": of none
  report::KernelResult result_;
};

}  // namespace hone::tune
