// A search's last part: which of its best is the winner, measured afresh.
//
// Borrows everything. Runs once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/report/progress.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

struct Winner {
  std::optional<std::size_t> index;  // in SearchOutcome::accepted; nullopt: none held
  std::optional<Verdict> fresh;      // measured afresh; nullopt: the first look had to do
  std::string message;               // why it had to
};

// The first from `from` on that is a gain beyond doubt, though it is the best of so many trials, by the samples of its
// trial alone; the number of all: none is.
std::size_t first_certain(const std::vector<Accepted>& accepted, std::size_t from, unsigned trials);

class Finals {
 public:
  // What is left of a winner without what gains nothing; nullopt: it stays as it is. Given in `run` alone.
  using Reduce = std::function<std::optional<Accepted>(const Accepted& winner)>;

  // `kept`: seconds that choosing among the best leaves to what follows, the reduction and the winner's measurement.
  Finals(const TuningTask& task, Evaluator& evaluator, report::Progress& progress, const Deadline& whole, double kept);

  // Puts the best in front, reduced, and sets `found.error` where the environment fails. What was reduced is a winner
  // only as it was measured afresh; where that cannot be, or it does not hold, it is the winner as it was found.
  Winner run(SearchOutcome& found, const Reduce& reduce = {});

  // One text alone, as a winner is measured: its verdict, which also says where it does not fit into its file. Error:
  // the environment failed.
  Result<Verdict> judge_afresh(const std::string& source);

 private:
  void order_the_best(SearchOutcome& found);
  void reduce_the_best(SearchOutcome& found, const Reduce& reduce);
  Winner confirm(SearchOutcome& found);
  Result<Verdict> measured(const Candidate& candidate);
  Result<std::string> why_not_in_its_file(const std::string& source);

  const TuningTask& task_;
  Evaluator& evaluator_;
  report::Progress& progress_;
  const Deadline& whole_;
  const double kept_;
};

}  // namespace hone::tune
