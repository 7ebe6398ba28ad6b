// A search's last part: which of its best is the winner, measured afresh.
//
// Borrows everything. Runs once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/report/progress.h"
#include "tool/tune/trial/confirmation.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

class Finals {
 public:
  // What is left of a winner without what gains nothing; nullopt: it stays as it is. Given in `run` alone.
  using Reduce = std::function<std::optional<Accepted>(const Accepted& winner)>;
  // A choice by size in front of what is slower on some problems (ConfirmationSteps::with_choice).
  using Choose = std::function<std::optional<Accepted>(const Accepted& mixed)>;

  // `kept`: seconds that choosing among the best leaves to what follows, the reduction and the winner's measurement.
  Finals(const TuningTask& task, Evaluator& evaluator, report::Progress& progress, const Deadline& whole, double kept);

  // Puts the best in front, reduced, and sets `found.error` where the environment fails. What was reduced is a winner
  // only as it was measured afresh; where that cannot be, or it does not hold, it is the winner as it was found.
  Winner run(SearchOutcome& found, const Reduce& reduce, const Choose& choose);

  // One text alone, as a winner is measured: its verdict, which also says where it does not fit into its file. Error:
  // the environment failed.
  Result<Verdict> judge_afresh(const std::string& source);

 private:
  void order_the_best(SearchOutcome& found);
  void reduce_the_best(SearchOutcome& found, const Reduce& reduce);
  Result<Verdict> measured(const Candidate& candidate);
  Result<Misfit> why_not_in_its_file(const std::string& source);

  const TuningTask& task_;
  Evaluator& evaluator_;
  report::Progress& progress_;
  const Deadline& whole_;
  const double kept_;
};

}  // namespace hone::tune
