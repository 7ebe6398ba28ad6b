// What a tuning says while it runs and when it ends, as plain values: the console, a JSON file or nothing may listen.
//
// Calls come from one thread at a time, in the order of events. A listener never influences the search.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/model/verdict.h"

namespace hone::report {

struct TrialCounts {
  unsigned total = 0;
  unsigned compiled = 0;
  unsigned right = 0;
  unsigned faster = 0;
  // What was proposed and is no trial of its own, or held no code.
  unsigned duplicates = 0;
  unsigned without_code = 0;
  unsigned cut = 0;  // replies that ran into max_tokens
};

struct Run {
  std::string kernel;
  std::string file;
  unsigned line = 0;
  unsigned trials = 0;  // the budget
  double budget_seconds = 0;
  double most_cost = 0;  // money and tokens that there are; 0: no limit
  std::uint64_t most_tokens = 0;
};

// What a kernel's tuning is at. `looking`: at what is known and at the original. `waiting`: for its next slice of time.
enum class Phase { waiting, looking, judging, finals, done };
const char* to_string(Phase phase);

struct TrialNews {
  unsigned number = 0;    // of the trials that count
  std::string name;       // the candidate's
  Verdict verdict;        // without samples
  bool replayed = false;  // its verdict came from the journal
  double best = 1;        // median of the fastest accepted so far
  unsigned of = 0;        // how many there may be; 0: the run's budget
};

enum class Outcome {
  tuned,          // a variant was accepted and locked
  already_tuned,  // the lock file knows the key
  recalled,       // the store knew the key: locked without a search
  locked_again,   // a variant of an earlier state was verified and locked: without a search
  original_kept,  // searched, nothing was accepted
  refused,        // the annotation or the original does not stand up; `message` says why
  unfinished,     // the budget ended before the search could say anything: the next one goes on
  interrupted,    // stopped by the user before anything was accepted
  failed,         // the environment did
};
const char* to_string(Outcome outcome);

struct Spent {  // on a language model
  unsigned calls = 0;
  std::uint64_t tokens = 0;
  double cost = 0;
};

// Why candidates came to nothing. Reasons that differ in numbers and quoted names alone are one.
struct Failure {
  std::string what;     // "wrong", "did not compile", "not allowed", "no code", "not accepted"
  std::string example;  // the first such reason, as one line; "": none was given
  std::string pattern;  // what tells it from other reasons
  unsigned count = 0;
  DiagnosticCode code = DiagnosticCode::none;  // what `hone explain` says of the example
};

struct KernelResult {
  std::string name;
  std::string file;
  unsigned line = 0;
  std::string key;
  Outcome outcome = Outcome::failed;
  bool accepted = false;  // a variant of it is locked
  Speedup speedup;
  std::string variant;  // digest; "" for none
  TrialCounts trials;
  double seconds = 0;
  std::string message;  // why not, or what to know ("stopped early: measured once only")
  Spent spent;
  std::vector<Failure> failures = {};  // of candidates, the commonest first
};

class Progress {
 public:
  virtual ~Progress() = default;
  virtual void begin(const Run& run) = 0;
  virtual void phase(Phase) {}                     // a run begins with looking
  virtual void note(const std::string& line) = 0;  // something to know, once
  virtual void trial(const TrialNews& news) = 0;
  virtual void end(const KernelResult& result) = 0;
  // Calls to a language model that are open, and what the answered ones came to.
  virtual void asking(unsigned /*open*/, const Spent& /*so_far*/) {}
};

}  // namespace hone::report
