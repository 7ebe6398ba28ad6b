// The way of every trial of a search, whoever proposes: dedupe, gate, compile, judge, journal, tell.
//
//   source ── open, submit ──► seen? ─ journal? ─ gate ─ compile ─ same object? ─ judge ──► journal ─ tell ──► source
//
// Places are told one by one in the order of asking, and after each the source is asked again. So what is proposed
// depends on the seed and the verdicts, never on how long anything took. Compiles and judgments overlap, and candidates
// are judged as their compiles end. Nothing is judged twice: where a later place is the same program as an earlier one,
// the earlier one is the trial, whichever of them was judged. The journal has a line for each trial, in the order of
// telling, before the source learns of it; where a line ends early, what was judged and not told follows.
//
// run() ends when the source has finished, when somebody calls end() or fail(), or when the stop
// token fires. An error of the environment ends it at once: what is under way would fail as well. run() is called once.
// All other functions are called on its thread, or before it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "tool/report/progress.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/mailbox.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/trial_bench.h"
#include "tool/tune/trial/trial_source.h"

namespace hone::tune {

// What a line works with; all borrowed.
struct TrialPorts {
  TrialStages& stages;
  Journal& journal;
  report::Progress& progress;
};

// What is proposed for a place, and which words it came from.
struct Submission {
  Proposal proposal;
  Provenance provenance = {};
};

class TrialLine {
 public:
  struct Options {
    TrialBench::Options bench;
    std::string original;          // the original's fingerprint
    bool finds_duplicates = true;  // false: each submission is a trial, though it be the same program as another
    // Told the seconds of each judgment (of several choices the longest's), also of those that the journal knew:
    // whoever set the deadline may move it.
    std::function<void(double seconds, const Verdict& verdict)> judged = [](double, const Verdict&) {};
    // Told each trial, those of an earlier run too. A reason: enough was found (has_enough()).
    std::function<std::optional<std::string>(const Verdict&)> enough = [](const Verdict&) { return std::nullopt; };
  };

  TrialLine(TrialPorts ports, Options options, std::stop_token stop);
  ~TrialLine();

  // A program, by its fingerprint or its object, that is a trial already.
  void know(const std::string& program, unsigned trial);
  // A trial of an earlier run: it counts like those that are told.
  void recall(Accepted trial);

  // The next place in the order of asking: numbers grow.
  void open(unsigned place);
  // Each place is then submitted, settled, passed up or withdrawn, once.
  void submit(unsigned place, Submission submission);
  // It needs no judge. `program` tells it from others ("": it is like no other); `known`: the verdict is not of today.
  struct Settled {
    std::string program;
    Verdict verdict;
    bool known = false;
  };
  void settle(unsigned place, Submission submission, Settled settled);
  void pass(unsigned place);
  // Whether a program is a trial already.
  bool knows(const std::string& program) const { return trial_of_.contains(program); }
  // Whether the gate refuses the text.
  bool refuses(const std::string& source) const { return ports_.stages.gate(source).has_value(); }
  void withdraw(unsigned place);  // as if it had never been opened

  // What came to nothing before there was a proposal, the source adds.
  Setbacks& setbacks() { return outcome_.setbacks; }
  const report::TrialCounts& counts() const { return outcome_.counts; }
  std::size_t open_places() const { return places_.size(); }
  // Whether one more place keeps compilers and executor busy, and may still become a trial.
  bool has_room() const;

  // Runs `work` on the thread of run(). May be called from any thread, and outlives the line, which then ignores it.
  using Post = std::function<void(std::function<void()> work)>;
  Post post() const;
  // Waits so long for posted work, and runs it. False: none came.
  bool serve(std::chrono::milliseconds patience);

  // Nothing more is to be asked, as long as what is told of open places does not change that.
  bool has_enough() const { return !outcome_.enough.empty(); }
  void end() { ending_ = true; }  // nothing more is told
  void fail(Error error);         // nor after this: the environment failed

  SearchOutcome run(TrialSource& source);

 private:
  struct Place;
  using Work = std::function<void()>;

  bool goes_on() const { return !ending_ && !outcome_.error && !stop_.stop_requested(); }
  bool is_taken(unsigned number, const std::string& program);
  std::optional<unsigned> trial_with(const Place& place) const;
  const Place& judged_for(const Place& place) const;
  static void adopt(Place& place, const Place& judged);
  void handle(Compiled& compiled);
  void handle(Judged& judged);
  void conclude(Place& place, Verdict verdict, bool known);
  bool deliver();
  bool tell(unsigned number, Place& place);
  void count(unsigned trial, const Place& place, Candidate candidate);
  Result<void> write_down(const Place& place);
  void keep_untold();

  TrialPorts ports_;
  Options options_;
  std::stop_token stop_;
  std::shared_ptr<Mailbox<Work>> mailbox_;  // shared with work that is posted after the line
  TrialSource* source_ = nullptr;
  std::map<unsigned, Place> places_;
  // Programs, by their tokens or by what the compiler made of them: the trial that is one, the place that is judged.
  std::map<std::string, unsigned> trial_of_;
  std::map<std::string, unsigned> judged_at_;
  SearchOutcome outcome_;
  bool ending_ = false;
  std::unique_ptr<TrialBench> bench_;  // last: it posts work that uses the others
};

}  // namespace hone::tune
