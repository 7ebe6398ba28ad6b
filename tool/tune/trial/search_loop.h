// The loop between population and judge: ask, prepare ahead, judge, journal, tell. One candidate is with the executor
// at a time, or as many as were said.
//
// Which candidates are proposed depends on the seed, the verdicts and how many may be judged at once alone: the number
// of open requests is fixed by that, and outcomes are told in the order of asking. Ends when the trials are spent, the
// search has nothing left, the deadline comes, or the environment fails; what was in flight then is stopped and
// dropped. Runs once.
#pragma once

#include <deque>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <vector>

#include "tool/report/progress.h"
#include "tool/search/search.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/pipeline.h"
#include "tool/tune/trial/search_outcome.h"

namespace hone::tune {

class SearchLoop {
 public:
  // Everything is borrowed. `original` is the original's fingerprint.
  SearchLoop(search::Search& search, Evaluator& judge, Journal& journal, Pipeline& pipeline, report::Progress& progress,
             SearchLimits limits, unsigned judgments, const std::string& original);

  // `judged` is told the seconds of each judgment: whoever set the deadline may move it by that.
  SearchOutcome run(Deadline& deadline, const std::function<void(double)>& judged);

 private:
  static constexpr unsigned lookahead = 4;

  // Taken out of the pipeline, in its order.
  struct Taken {
    Prepared prepared;
    std::future<Result<Verdict>> verdict;  // not valid: nothing is with the executor
  };

  void fill();
  void take(std::stop_token stop);
  void take_all(std::stop_token stop);
  unsigned judging() const;
  Taken first_taken(std::stop_token stop);
  bool is_known(const Prepared& prepared) const;
  Result<std::optional<Verdict>> verdict_for(Taken& taken, std::stop_token stop);
  std::optional<unsigned> judged_before(const Prepared& prepared) const;
  void conclude(const Prepared& prepared, const Verdict& verdict);

  search::Search& search_;
  Evaluator& judge_;
  Journal& journal_;
  Pipeline& pipeline_;
  report::Progress& progress_;
  SearchLimits limits_;
  unsigned judgments_;
  std::deque<Taken> taken_;
  std::map<std::string, unsigned> first_;  // fingerprint or object → trial that had it first
  SearchOutcome outcome_;
};

}  // namespace hone::tune
