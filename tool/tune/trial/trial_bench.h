// Proposals in, verdicts out, each on threads of its own: some gate and compile, others have candidates judged.
//
// Answers come through `post`, on those threads. What is under way when the stop token fires, or when stop() is called,
// is stopped and not answered, unless something was judged of it: of a candidate with tunables the best choice so far.
// end(), and so the destructor, waits until that has happened. Thread-safe for one caller.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include "tool/base/either_stop.h"
#include "tool/judge/machine/judgment_places.h"
#include "tool/tune/trial/proposal.h"
#include "tool/tune/trial/ranked_turns.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/slice.h"
#include "tool/tune/trial/thread_pool.h"
#include "tool/tune/trial/trial_stages.h"

namespace hone::tune {

// What goes on at once.
struct Parallel {
  unsigned compiles = 1;
  unsigned judgments = 1;  // with the executor
};

// A candidate passed gate and compiler, failed there, or the environment did.
struct Compiled {
  unsigned place = 0;
  std::string object;  // digest; "" where it did not compile
  std::variant<compile::Objects, Verdict, Error> outcome;
};

struct Judged {
  unsigned place = 0;
  Candidate candidate;           // with the best choice of its tunables
  search::TunableChoice choice;  // empty without tunables
  std::string object = {};       // digest of what the candidate compiled to
  Result<Verdict> verdict;
  std::string profile = {};  // of a right one
  double longest = 0;        // seconds that the longest judgment of a choice took
};

class TrialBench {
 public:
  using Post = std::function<void(std::variant<Compiled, Judged>)>;

  // What is known of where a right candidate spends its time, for prompts. Called on the thread that had the candidate
  // judged: on several at once, where several are judged at once.
  using Profile = std::function<std::string(const Candidate&, const Verdict&)>;

  struct Options {
    Parallel parallel;
    SearchLimits limits;
    Profile profile = {};    // may be empty
    Slice* slice = nullptr;  // borrowed: no work begins while it is suspended; null: it never is
    // Where they are given, a judgment beside another one of this bench waits for a place to spare.
    std::optional<judge::JudgmentPlaces> places = {};
  };

  // The stages are borrowed.
  TrialBench(TrialStages& stages, Options options, std::stop_token stop, Post post);
  ~TrialBench();

  // Where there are tunables, their default choice, whatever choice the proposal's candidate has.
  void compile(unsigned place, const Proposal& proposal);
  // `compiled` is what compile() made of the same proposal. Where there are tunables, the default choice is judged. If
  // it is no less than half as fast as the fastest so far, or failed, others are, for `limits.longest_tuning` seconds:
  // the verdict is the best choice's. As many choices are out as may be judged at once, told in the order of asking.
  // They share the places with other proposals, whose default choices go first.
  void judge(unsigned place, Proposal proposal, Compiled compiled);

  // Something was accepted before, or elsewhere, so many times as fast as the original: trials need no long look any
  // more.
  void accept(double speedup);
  void stop() { ending_.stop(); }
  void end();  // stops, and waits until all that is answered is

 private:
  using Clock = Slice::Clock;
  struct Run {
    Result<Verdict> verdict;
    std::string object;
    double seconds = 0;  // that the choice took, its compile and what it waited for included
  };

  class Place;

  std::optional<Slice::Piece> piece_of_work(std::stop_token stop);
  Clock::time_point now() const;
  std::variant<compile::Objects, Verdict, Error> prepare(const std::string& source, RankedTurns::Rank rank,
                                                         std::stop_token stop);
  Result<Verdict> run(const compile::Objects& objects, const statistics::AcceptanceRule& rule, RankedTurns::Rank rank,
                      std::stop_token stop);
  Run prepare_and_run(const std::string& source, const statistics::AcceptanceRule& rule, std::stop_token stop);
  Judged judge_default(unsigned place, const Proposal& proposal, const Compiled& compiled);
  bool is_worth_tuning(const Judged& first) const;
  Judged tune(const Proposal& proposal, const Compiled& compiled, Judged first);
  void finish(Judged judged);

  TrialStages& stages_;
  const Options options_;
  EitherStop ending_;
  std::stop_token stop_;  // of ending_
  Post post_;
  std::atomic<double> fastest_ = 0;  // of what was accepted, as times the original's speed; 0: nothing was
  const std::size_t judgments_;
  RankedTurns executor_, compiler_;
  std::mutex places_mutex_;
  std::condition_variable_any place_left_;
  unsigned placed_ = 0;  // judgments that have a place
  ThreadPool tuning_;
  ThreadPool judging_;
  ThreadPool compiling_;
};

// The rule for one trial of a search. The long looks are for candidates near the threshold: they are not worth it once
// something is accepted (such a candidate cannot win any more), nor where they would eat a small budget up.
statistics::AcceptanceRule trial_rule(double longest_look, bool something_accepted);

}  // namespace hone::tune
