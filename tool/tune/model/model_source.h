// Trials that a search has a language model write: asks it, reads its replies, and records what came and what was told.
//
// The number of open requests is fixed, and each outcome is followed by the next question, so that what is asked
// depends on seed, replies and verdicts alone. Fewer are open while the search waits for verdicts (search/turns.h).
// Only a call that keeps everybody waiting for long is overtaken: others are told before it and asked in its place, and
// where nothing else is left to do it is given up. Every event is in the recording before the search learns of it. A
// call that does not fit into what the budgets have left is held back until those in flight have come to less than they
// might. Where an opinion of each candidate is wanted, that is a second call of the same request: it is made before
// those that wait, the candidate is judged when it has come, and one that fails keeps nothing from being judged. The
// search is over when the trials are spent, it has nothing left, enough was found and what was sent is told,
// or no further call fits into a budget. A provider that answers nobody any more ends the line. Calls in flight then
// are stopped.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <variant>

#include "tool/llm/client.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/report/progress.h"
#include "tool/tune/model/opinions.h"
#include "tool/tune/model/patience.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/model/replay.h"
#include "tool/tune/model/spending.h"
#include "tool/tune/model/stable_start.h"
#include "tool/tune/trial/trial_line.h"
#include "tool/tune/trial/trial_source.h"

namespace hone::tune {

// What the source works with; all borrowed.
struct ModelPorts {
  Dialogue& dialogue;
  llm::Client& client;
  Recorder& recorder;
  Spending& spending;
  report::Progress& progress;
};

class ModelSource : public TrialSource {
 public:
  struct Options {
    llm::Settings models;
    unsigned trials = default_trials;                       // that there may be
    std::uint64_t seed = 1;                                 // of the run: what providers are told is drawn from it
    search::OpinionUse opinion = search::OpinionUse::none;  // that is asked for of each candidate, and what it is for
  };

  // The line is borrowed.
  ModelSource(ModelPorts ports, Options options, TrialLine& line);
  ~ModelSource() override;

  // Takes over what a played recording left, before the line runs.
  void resume(Played played, const Journal& journal);
  // Nobody answers any more.
  const std::optional<Error>& ended_by_provider() const { return ended_by_provider_; }
  const Opinions& opinions() const { return opinions_; }
  // Whether requests were left because no call fits into the budgets.
  bool is_dry() const { return dry_; }

  void ask() override;
  bool finished() const override;
  Result<unsigned> tell(unsigned place, const TrialResult& result) override;
  void passed(unsigned place) override;
  std::optional<double> best() const override;
  bool is_overdue(unsigned place) const override;
  void end() override;

 private:
  struct Call;

  llm::Prompt prompt_of(const Question& question);
  llm::Prompt prompt_of(unsigned request, const Call& call);
  void note_failure(const llm::Failure& failure);
  void settle(unsigned request, const llm::Failure& failure);
  unsigned window() const;
  unsigned candidates_expected() const;
  void give_up();
  void send_held();
  void run_dry();
  void handle(unsigned request, llm::Outcome outcome);
  void handle(unsigned request, llm::Reply& reply);
  void handle(unsigned request, const llm::Failure& failure);
  void interpret(unsigned request, const std::string& text);
  void consider(unsigned request, Proposal proposal);
  bool wants_opinion(const Call& call, const Proposal& proposal) const;
  void take_opinion(unsigned request, llm::Outcome& outcome);
  void submit(unsigned request);
  void count(const search::Opinion& opinion, const Verdict& verdict);
  void end_by_provider(const llm::Failure& failure);
  void salvage(unsigned request, llm::Outcome& outcome);
  void recall(const ScriptedTrial& done, const Journal& journal);
  void tell_progress();
  bool record(const Event& event);
  bool overdue(const Call& call) const;
  bool is_candidate(unsigned request) const;
  const llm::ModelSettings& member(unsigned model) const;

  ModelPorts ports_;
  const Options options_;
  TrialLine& line_;
  StableStart stable_start_;
  Patience patience_;
  std::map<unsigned, Call> calls_;  // of the requests that are not told yet
  std::deque<unsigned> held_;       // requests whose call waits for the budget
  Opinions opinions_;
  bool dry_ = false;  // no further call fits into the budgets
  bool ending_ = false;
  std::optional<Error> ended_by_provider_;
};

}  // namespace hone::tune
