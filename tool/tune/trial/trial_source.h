// Who proposes the trials of one search: the built-in proposer, a language model, or a recording.
//
// A source opens places on a TrialLine (trial_line.h) in the order of asking and submits what it proposes for each.
// The line tells the outcomes in that order, one by one, and lets the source ask again after each. All calls come from
// the thread that runs the line.
#pragma once

#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/model/verdict.h"
#include "tool/tune/trial/proposal.h"

namespace hone::tune {

// What became of one place.
struct TrialResult {
  Proposal proposal;                     // with the candidate that was judged; of a duplicate, as it was submitted
  search::TunableChoice choice;          // that was best; empty without tunables, and of a duplicate
  std::string fingerprint;               // of the candidate; "" without code, and of a duplicate
  std::optional<unsigned> duplicate_of;  // the trial that is the same program; 0: the original
  std::string profile;
  Verdict verdict;  // without samples; empty of a duplicate, which has that of its trial
};

class TrialSource {
 public:
  virtual ~TrialSource() = default;
  // Opens as many places as may be open now. Called at the start, and after each outcome that was told.
  virtual void ask() = 0;
  // Whether the search has ended by itself: nothing is awaited, and nothing is to come.
  virtual bool finished() const = 0;
  // Returns the trial's number. Error: the outcome cannot be kept, and the search cannot go on.
  virtual Result<unsigned> tell(unsigned place, const TrialResult& result) = 0;
  // How many times as fast as the original the fastest trial is; nullopt: none is right and faster yet.
  virtual std::optional<double> best() const = 0;
  // The turn of a place has come that the source passed up: there is nothing to judge.
  virtual void passed(unsigned /*place*/) {}
  // Whether a place has been waited for so long that those behind it are told first.
  virtual bool is_overdue(unsigned /*place*/) const { return false; }
  // The line has ended, and tells nothing more: what the source has under way is to stop.
  virtual void end() {}
};

}  // namespace hone::tune
