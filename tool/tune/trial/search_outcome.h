// What a search found, whoever proposed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/model/candidate.h"
#include "tool/model/defaults.h"
#include "tool/model/reduction.h"
#include "tool/model/verdict.h"
#include "tool/report/progress.h"
#include "tool/tune/trial/setbacks.h"

namespace hone::tune {

// Which words a candidate came from; empty where no model was asked.
struct Provenance {
  std::string model, prompt, reply;  // the latter two are digests
};

// Judged as the time ended, before its turn to be told: no trial of the search that resumes yet.
inline constexpr unsigned untold_trial = ~0u;

struct Accepted {
  unsigned trial = 0;  // or untold_trial
  Candidate candidate;
  Verdict verdict;  // with all samples
  Provenance provenance = {};
  std::optional<Reduction> reduction = {};  // what was left out since the search found it
};

struct SearchOutcome {
  std::vector<Accepted> accepted;  // fastest first
  // Of those that are slower on some problems and faster on others, the one that promises most if the former keep the
  // original (model/mixed_gain.h). It has no choice by size yet.
  std::optional<Accepted> mixed;
  report::TrialCounts counts;
  Setbacks setbacks;                       // what became of the others
  std::string first_refusal;               // of a candidate that was not even run: the gate's or the compiler's words
  bool complete = false;                   // ended by itself: trials spent, nothing left or enough found
  std::string enough;                      // why it ended before its trials were spent (stop_rule.h); "": it did not
  std::optional<Error> error;              // the environment failed on the way
  std::optional<Error> ended_by_provider;  // nobody answers any more; what was found can still be judged

  void count(const Verdict& verdict);
  // Keeps what was accepted, and what is mixed.
  void keep(Accepted trial);
  void sort();
};

// What a search says whose budget ended before a verdict. If opening it (compiling and checking the original) took much
// of the budget, a budget is named that would do. Both are seconds.
std::string nothing_judged(double opening, double budget);

// How many lines a reader sees: blank ones aside.
unsigned lines_to_read(const std::string& source);

// How many candidates there may be, and seconds: of timing that one may take, and of choosing one's constants.
struct SearchLimits {
  unsigned trials = default_trials;
  double longest_look = 8;
  double longest_tuning = 60;
};

}  // namespace hone::tune
