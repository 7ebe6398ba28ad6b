// Proposals in, verdicts out, each on threads of its own: some gate and compile, others have candidates judged.
//
// Answers come through `post`, on those threads. What is under way when the stop token fires, or when stop() is called,
// is stopped and not answered. The destructor waits until it has. Thread-safe for one caller.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <variant>

#include "tool/base/either_stop.h"
#include "tool/judge/machine/judgment_places.h"
#include "tool/tune/trial/proposal.h"
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
  // `compiled` is what compile() made of the same proposal. Where there are tunables, searches them too, and begins no
  // choice after `limits.longest_tuning` seconds: the verdict is the best choice's. As many choices are out as may be
  // judged at once, told in the order of asking; they share the places with other proposals.
  void judge(unsigned place, Proposal proposal, Compiled compiled);

  // Something was accepted before, or elsewhere: trials need no long look any more.
  void accept() { something_accepted_ = true; }
  void stop() { ending_.stop(); }

 private:
  using Clock = Slice::Clock;
  using Turns = std::counting_semaphore<>;
  struct Run {
    Result<Verdict> verdict;
    std::string object;
  };

  class Place;

  std::optional<Slice::Piece> piece_of_work(std::stop_token stop);
  Clock::time_point now() const;
  std::variant<compile::Objects, Verdict, Error> prepare(const std::string& source, std::stop_token stop);
  Result<Verdict> run(const compile::Objects& objects, const statistics::AcceptanceRule& rule, std::stop_token stop);
  Run prepare_and_run(const std::string& source, const statistics::AcceptanceRule& rule, std::stop_token stop);
  Judged judge_one(unsigned place, const Proposal& proposal, const Compiled& compiled);
  Judged tune(unsigned place, const Proposal& proposal, const Compiled& compiled);

  TrialStages& stages_;
  const Options options_;
  EitherStop ending_;
  std::stop_token stop_;  // of ending_
  Post post_;
  std::atomic<bool> something_accepted_ = false;
  const std::size_t judgments_;
  Turns executor_, compiler_;
  std::mutex places_mutex_;
  std::condition_variable_any place_left_;
  unsigned placed_ = 0;  // judgments that have a place
  ThreadPool judging_;
  ThreadPool compiling_;
};

// The rule for one trial of a search. The long looks are for candidates near the threshold: they are not worth it once
// something is accepted (such a candidate cannot win any more), nor where they would eat a small budget up.
statistics::AcceptanceRule trial_rule(double longest_look, bool something_accepted);

}  // namespace hone::tune
