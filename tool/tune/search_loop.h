// The loop between population and judge: ask, prepare ahead, judge one at a time, journal, tell.
//
// Which candidates are proposed depends on the seed and the verdicts alone: the number of open requests is fixed, and
// outcomes are told in the order of asking. Ends when the trials are spent, the search has nothing left, or the
// deadline comes; what was in flight then is dropped. Runs once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "tool/report/progress.h"
#include "tool/search/search.h"
#include "tool/tune/deadline.h"
#include "tool/tune/journal.h"
#include "tool/tune/judge.h"
#include "tool/tune/pipeline.h"

namespace hone::tune {

struct Accepted {
  unsigned trial = 0;
  Verdict verdict;  // with all samples
};

struct SearchOutcome {
  std::vector<Accepted> accepted;  // fastest first
  report::TrialCounts counts;
  bool complete = false;       // ended by itself: trials spent or nothing left
  std::optional<Error> error;  // the environment failed on the way
};

class SearchLoop {
 public:
  struct Limits {
    unsigned trials = 45;
    double longest_look = 8;  // seconds of timing that one candidate may take
  };

  // Everything is borrowed. `original` is the original's fingerprint.
  SearchLoop(search::Search& search, Judge& judge, Journal& journal, Pipeline& pipeline, report::Progress& progress,
             Limits limits, const std::string& original);

  // `judged` is told the seconds of each judgement: whoever set the deadline may move it by that.
  SearchOutcome run(Deadline& deadline, const std::function<void(double)>& judged);

 private:
  static constexpr unsigned lookahead = 4;

  void fill();
  Result<Verdict> verdict_for(const Prepared& prepared, std::stop_token stop);
  evaluate::AcceptanceRule rule() const;
  std::optional<unsigned> judged_before(const Prepared& prepared) const;
  void conclude(const Prepared& prepared, const Verdict& verdict);
  void count(const Verdict& verdict);

  search::Search& search_;
  Judge& judge_;
  Journal& journal_;
  Pipeline& pipeline_;
  report::Progress& progress_;
  Limits limits_;
  std::map<std::string, unsigned> first_;  // fingerprint or object → trial that had it first
  SearchOutcome outcome_;
};

}  // namespace hone::tune
