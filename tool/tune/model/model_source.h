// The loop between a model's search and the judge: ask, call, read, compile, judge, tell; calls, compiles and judging
// overlap.
//
// The number of open requests is fixed, outcomes are told one by one in the order of asking, and each is followed by
// the next question, so that what is asked depends on seed, replies and verdicts alone; only a call that keeps
// everybody waiting for long is overtaken: others are told before it and asked in its place, and where nothing else is
// left to do it is given up. Every event is in the recording before the search learns of it. A call that does not fit
// into what the budgets have left is held back until those in flight have come to less than they might.
// Ends when the trials are spent, the search has nothing left, a budget or the provider ends it, or the deadline comes;
// calls in flight then are stopped. Runs once.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tool/llm/client.h"
#include "tool/llm/model_settings.h"
#include "tool/report/progress.h"
#include "tool/tune/model/patience.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/model/replay.h"
#include "tool/tune/model/spending.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/mailbox.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/trial_bench.h"

namespace hone::tune {

// What the loop works with; all borrowed.
struct ModelPorts {
  Dialogue& dialogue;
  llm::Client& client;
  Evaluator& judge;
  Journal& journal;
  Recorder& recorder;
  Spending& spending;
  report::Progress& progress;
  // What is known of where a right candidate spends its time, for prompts; may be empty.
  using Profile = TrialBench::Profile;
  Profile profile;
  std::uint64_t seed = 1;  // of the run: what providers are told is drawn from it
};

class ModelSource {
 public:
  // `original`: the original's fingerprint; `seeds`: those of trials 1, 2, ….
  ModelSource(ModelPorts ports, const llm::Settings& models, SearchLimits limits, Parallel parallel,
            const std::vector<std::string>& seeds, const std::string& original);
  ~ModelSource();

  // Takes over what a played recording left, before run().
  void resume(Played played);
  SearchOutcome run(Deadline& deadline, const std::function<void(double)>& judged);

 private:
  struct CallEnded {
    unsigned request = 0;
    llm::Outcome outcome;
  };
  using Message = std::variant<CallEnded, Compiled, Judged>;
  struct Open;

  bool fill();
  unsigned candidates_expected() const;
  bool finished() const;
  void give_up();
  void send(unsigned request);
  void send_held();
  void run_dry();
  void interpret(unsigned request, const std::string& text);
  bool taken(unsigned request, const std::string& program);
  std::optional<unsigned> trial_with(const Open& open) const;
  const Open& judged_for(const Open& open) const;
  void handle(CallEnded& message);
  void handle(Compiled& message);
  void handle(Judged& message);
  void conclude(unsigned request, Result<Verdict> verdict, bool replayed);
  bool deliver();
  bool overdue(const Open& open) const;
  bool is_candidate(unsigned request) const;
  bool tell(unsigned request, Open& open);
  bool tell_trial(unsigned request, Open& open);
  void adopt(Open& open, const Open& judged);
  void salvage(CallEnded& call);
  void request_stops();
  void stop_calls();
  void tell_progress();
  unsigned window() const;
  bool record(const Event& event);
  const llm::ModelSettings& member(unsigned model) const;

  ModelPorts ports_;
  const llm::Settings& models_;
  SearchLimits limits_;
  Parallel parallel_;
  Patience patience_;
  std::shared_ptr<Mailbox<Message>> mailbox_;  // shared with calls that end after the loop
  std::map<unsigned, Open> open_;
  std::deque<unsigned> held_;  // requests whose call waits for the budget
  // Programs, by their tokens or by what the compiler made of them: the trial that is one, the request that is judged.
  std::map<std::string, unsigned> trial_of_;
  std::map<std::string, unsigned> judge_of_;
  std::unique_ptr<TrialBench> bench_;
  std::function<void(double)> judged_;
  SearchOutcome outcome_;
  bool dry_ = false;  // the budget for calls is spent
};

}  // namespace hone::tune
