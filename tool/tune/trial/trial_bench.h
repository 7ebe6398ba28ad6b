// Proposals in, verdicts out, each on threads of its own: some gate and compile, others have candidates judged.
//
// Answers come through `post`, on those threads; what is under way when the stop token fires or the destructor comes is
// stopped and not answered. The destructor waits until it has. Thread-safe for one caller.
#pragma once

#include <functional>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <variant>

#include "tool/base/either_stop.h"
#include "tool/compile/compiler.h"
#include "tool/statistics/statistics.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/proposal.h"
#include "tool/tune/trial/thread_pool.h"

namespace hone::tune {

struct Compiled {
  unsigned request = 0;
  std::string object;  // digest; "" where it did not compile
  std::variant<compile::Objects, Verdict, Error> outcome;
};

struct Judged {
  unsigned request = 0;
  Candidate candidate;           // with the best choice of its tunables
  search::TunableChoice choice;  // empty without tunables
  Result<Verdict> verdict;
  std::string profile = {};  // of a right one
};

class TrialBench {
 public:
  using Post = std::function<void(std::variant<Compiled, Judged>)>;

  // `profile` is called for right candidates, where there is one, on the thread that had it judged: on several at once,
  // where several are judged at once.
  using Profile = std::function<std::string(const Candidate&, const Verdict&)>;

  TrialBench(Evaluator& judge, Parallel parallel, std::stop_token stop, Post post, Profile profile = {});
  ~TrialBench();

  void compile(unsigned request, std::string source);
  // Where there are tunables, searches them too, begins no choice after `tuning` seconds: the verdict is the best
  // choice's. As many choices are out as may be judged at once, told in the order of asking; they share the places with
  // other requests.
  void judge(unsigned request, Proposal proposal, compile::Objects objects, statistics::AcceptanceRule rule,
             double tuning);

 private:
  using Turns = std::counting_semaphore<>;

  std::variant<compile::Objects, Verdict, Error> prepare(const std::string& source, std::stop_token stop);
  Result<Verdict> run(const compile::Objects& objects, const statistics::AcceptanceRule& rule, std::stop_token stop);
  // All of it, for what may have been compiled already.
  Result<Verdict> run(const std::optional<compile::Objects>& objects, const std::string& source,
                      const statistics::AcceptanceRule& rule, std::stop_token stop);
  Judged tune(unsigned request, const Proposal& proposal, const compile::Objects& objects,
              const statistics::AcceptanceRule& rule, double longest);

  Evaluator& judge_;
  EitherStop ending_;
  std::stop_token stop_;  // its
  Post post_;
  Profile profile_;
  std::size_t judgments_;
  Turns executor_, compiler_;
  ThreadPool judging_;
  ThreadPool compiling_;
};

// The rule for one trial of a search. The long looks are for candidates near the threshold: they are not worth it once
// something is accepted (such a candidate cannot win any more), nor where they would eat a small budget up.
statistics::AcceptanceRule trial_rule(double longest_look, bool something_accepted);

}  // namespace hone::tune
