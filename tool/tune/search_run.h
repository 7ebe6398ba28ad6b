// One kernel's search: which source feeds the trial line, what it starts from, and what is kept of it.
//
// The source is a recording that is judged again, a language model, or else the built-in proposer. Made for one search,
// run once; everything given is borrowed.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tool/os/process/process_runner.h"
#include "tool/report/progress.h"
#include "tool/search/search.h"
#include "tool/transforms/workshop.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/model/replay.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/journal.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/stop_rule.h"
#include "tool/tune/trial/trial_line.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

// How many workers one search may use at most, where they stay.
unsigned judgments_at_once(const project::TuneOptions& options);

class SearchRun {
 public:
  struct Ports {
    Evaluator& evaluator;
    Journal& journal;
    os::ProcessRunner& runner;
    report::Progress& progress;
  };
  // Told the seconds of each judgment, and whether it found a gain, so that the winner's own finds time.
  using Judged = std::function<void(double seconds, const Verdict& verdict)>;

  // `starts`: what it begins with, judged already, right or not (known_variants.h): genomes are the built-in
  // proposer's first, texts are a model's earlier versions. None of them is among what it finds.
  SearchRun(const TuningTask& task, Ports ports, Deadline& deadline, Judged judged,
            std::vector<search::Start::Known> starts);

  struct Found {
    SearchOutcome outcome;
    std::unique_ptr<search::Search> search;  // with all trials; null: it ended before it began
    report::Spent spent;                     // on a language model
    bool surveyed = true;                    // else there may be more to try than the search knew of
  };
  // Error: it could not begin.
  Result<Found> run();

 private:
  Result<void> run_builtin();
  Result<void> run_model();
  Result<std::unique_ptr<frontend::Workshop>> open_workshop() const;
  Catalog catalog_of(frontend::Workshop& workshop);
  Catalog survey(frontend::Workshop& workshop);
  Result<void> end_without_model(const Error& why, std::vector<Accepted> seeded);
  void accept(std::vector<Accepted> seeded);
  Result<void> run_recording();

  Result<SearchOutcome> propose(search::Search& search, frontend::Workshop& workshop, const Deadline& deadline,
                                unsigned trials, StopRule& rule);
  Result<std::vector<Accepted>> find_seeds(StopRule rule);
  Result<StopRule> stop_rule();
  StopRule stop_rule(const search::TaskFacts& facts) const;
  bool seeds_are_enough(const std::vector<Accepted>& seeds, StopRule& rule);
  std::vector<Accepted> known_seeds(const std::vector<search::Start::Known>& seeds) const;
  void remember(const search::Memory& before, Recorder& recorder);
  TrialLine::Options line_options(unsigned trials, StopRule& rule) const;  // the rule is borrowed
  TrialPorts line_ports() const { return {ports_.evaluator, ports_.journal, ports_.progress}; }
  Parallel parallel() const;
  std::optional<judge::JudgmentPlaces> judgment_places() const;
  double planned_seconds() const;  // Tuning::planned_seconds()
  void note_other_prompts(const Played& played) const;

  const TuningTask& task_;
  Ports ports_;
  Deadline& deadline_;
  Judged judged_;
  const std::vector<search::Start::Known> starts_;
  Found found_;
};

}  // namespace hone::tune
