// The loop between a model's search and the judge: ask, call, read, compile, judge, tell; calls, compiles and judging
// overlap.
//
// The number of open requests is fixed and outcomes are told in the order of asking, so that what is asked depends on
// seed, replies and verdicts alone; only a call that keeps everybody waiting for long is overtaken. Every event is in
// the recording before the search learns of it. Ends when the trials are spent, the search has nothing left, a budget
// or the provider ends it, or the deadline comes; calls in flight then are stopped. Runs once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "tool/llm/client.h"
#include "tool/llm/settings.h"
#include "tool/report/progress.h"
#include "tool/tune/deadline.h"
#include "tool/tune/journal.h"
#include "tool/tune/mailbox.h"
#include "tool/tune/recording.h"
#include "tool/tune/script.h"
#include "tool/tune/search_outcome.h"
#include "tool/tune/spending.h"
#include "tool/tune/trial_judge.h"

namespace hone::tune {

// What the loop works with; all borrowed.
struct ModelLoopPorts {
  Dialogue& dialogue;
  llm::Client& client;
  Judge& judge;
  Journal& journal;
  Recorder& recorder;
  Spending& spending;
  report::Progress& progress;
  // What is known of where a right candidate spends its time, for prompts; may be empty.
  std::function<std::string(const Candidate&, const Verdict&)> profile;
};

class ModelLoop {
 public:
  // `original`: the original's fingerprint; `seeds`: those of trials 1, 2, ….
  ModelLoop(ModelLoopPorts ports, const llm::Settings& models, SearchLimits limits, unsigned jobs,
            const std::vector<std::string>& seeds, const std::string& original);
  ~ModelLoop();

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
  struct First {  // who had a program first
    unsigned number = 0;
    bool is_trial = false;  // else a request
  };

  bool fill();
  void send(unsigned request);
  void interpret(unsigned request, const std::string& text);
  void look_for_twin(Open& open, const std::string& digest, unsigned request);
  void handle(CallEnded& message);
  void handle(Compiled& message);
  void handle(Judged& message);
  void conclude(unsigned request, Result<Verdict> verdict, bool replayed);
  void deliver();
  bool overdue(const Open& open) const;
  bool tell(unsigned request, Open& open);
  bool tell_trial(unsigned request, Open& open);
  void salvage();
  unsigned window() const;
  bool record(const Event& event);
  const llm::ModelSettings& member(unsigned model) const;

  ModelLoopPorts ports_;
  const llm::Settings& models_;
  SearchLimits limits_;
  unsigned jobs_;
  std::shared_ptr<Mailbox<Message>> mailbox_;  // shared with calls that end after the loop
  std::stop_source calls_;
  std::map<unsigned, Open> open_;
  std::map<std::string, First> first_;     // by fingerprint or object
  std::map<unsigned, unsigned> trial_of_;  // by request
  std::unique_ptr<TrialJudge> bench_;
  std::function<void(double)> judged_;
  SearchOutcome outcome_;
  bool dry_ = false;          // the budget for calls is spent
  double slowest_usual_ = 0;  // seconds: of the replies so far
};

}  // namespace hone::tune
