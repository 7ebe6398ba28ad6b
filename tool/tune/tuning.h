// One kernel's way through the tuning passes: the order stands in run().
//
// Made for one kernel, run once. Everything given is borrowed. See tuner.h for what it writes and promises.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "tool/lock/ledger.h"
#include "tool/project/settings.h"
#include "tool/report/progress.h"
#include "tool/search/prompt/compose.h"
#include "tool/search/search.h"
#include "tool/tune/model/dialogue.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/search_loop.h"
#include "tool/tune/tuner.h"

namespace hone::tune {

class Tuning {
 public:
  Tuning(const project::TuneOptions& options, const project::Settings& settings, const project::ProjectUnit& unit,
         const KernelSpec& spec, os::ProcessRunner& runner, report::Progress& progress, std::stop_token stop);

  Result<report::KernelResult> run();

 private:
  // Told the seconds of each judgment, so that the winner's own finds time.
  using Reserve = std::function<void(double)>;
  // Whether the kernel's fate is known, so that no further pass is needed.
  using Decided = bool;

  Result<Decided> passes();
  Result<Decided> recall();
  bool is_here() const { return options_.executor == "local"; }  // the device, if there is one
  std::string code_here() const;
  std::string what_it_compiles_for() const;
  Decided refuse_annotation();
  Result<Decided> open_judge();
  Result<Decided> open_journal();
  Result<Decided> refuse_original();
  Result<void> search();
  Result<SearchOutcome> search_builtin(Deadline& deadline, const Reserve& judged);
  Result<SearchOutcome> search_with_model(Deadline& deadline, const Reserve& judged);
  Result<SearchOutcome> search_again(Deadline& deadline, const Reserve& judged);
  Result<std::vector<Accepted>> find_seeds(Deadline& deadline, const Reserve& judged);
  std::vector<Accepted> known_seeds(const std::vector<search::Start::Known>& seeds) const;
  void remember(const search::Memory& before, Recorder& recorder);
  void find_winner();
  Result<void> keep();
  std::string why_it_stays(const cache::LockEntry& locked);

  const Candidate& candidate(std::size_t accepted) const { return found_.accepted[accepted].candidate; }
  SearchLimits limits() const;
  Parallel parallel() const;
  lock::Record make_record() const;
  void take_figures(const lock::Record& record);
  void take_figures(const cache::LockEntry& entry);
  Decided decide(report::Outcome outcome, std::string message);
  Decided interrupted();
  double seconds() const;

  const project::TuneOptions& options_;
  const project::Settings& settings_;
  const project::ProjectUnit& unit_;
  const KernelSpec& spec_;
  os::ProcessRunner& runner_;
  report::Progress& progress_;
  std::stop_token user_stop_;
  lock::Ledger ledger_;
  Deadline::Clock::time_point start_, end_;
  Deadline whole_;  // the budget's end or the user, whichever comes first
  std::unique_ptr<bundle::Executor> executor_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Journal> journal_;
  std::unique_ptr<search::Search> search_;
  double reserve_ = 0;  // seconds that the winner's own measurement may take
  SearchOutcome found_;
  std::optional<std::size_t> winner_;  // in found_.accepted
  std::optional<Verdict> fresh_;       // the winner's, measured afresh
  std::string architecture_;           // of the device that the original was judged on; "": of none
  report::KernelResult result_;
};

}  // namespace hone::tune
