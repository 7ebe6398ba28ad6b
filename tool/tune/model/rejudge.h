// A recorded run judged again: its candidates are compiled, verified and timed here and now, in the recorded order.
//
// The search itself saw the recorded verdicts (replay.h), so that the same recording always gives the same candidates;
// what is accepted is decided by the verdicts of this run alone. Duplicates are those of the recording: each other
// trial is judged, though this compiler may make the same object of two. Constants are chosen anew.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tool/tune/model/opinions.h"
#include "tool/tune/model/replay.h"
#include "tool/tune/trial/trial_line.h"
#include "tool/tune/trial/trial_source.h"

namespace hone::tune {

// What the search asked and what the replies came to, as JSON lines: the same for the same recording, byte for byte.
//   {"ask": 3, "operator": "mutation", "digest": "…", "prompt": [ … ]}
//   {"candidate": 2, "request": 3, "name": "…", "source": "…"}          source: "" where the reply held no code
std::string transcript(const Played& played);

// What is judged again, at most so many: what the recorded search started from, and its trials without duplicates.
std::vector<ScriptedTrial> trials_to_judge(const RecordingHeader& header, const Played& played, unsigned most);

class Rejudge : public TrialSource {
 public:
  // The line is borrowed. It must not look for duplicates, and may have as many trials as these.
  Rejudge(std::vector<ScriptedTrial> trials, TrialLine& line);

  void ask() override;
  bool finished() const override { return line_.counts().total == trials_.size() || line_.has_enough(); }
  Result<unsigned> tell(unsigned place, const TrialResult& result) override;
  std::optional<double> best() const override { return best_; }

  // What models thought of them when they were recorded, beside what the judge says now.
  const Opinions& opinions() const { return opinions_; }
  // How many are right now and were not, or the other way round.
  unsigned differences() const { return differences_; }

 private:
  const std::vector<ScriptedTrial> trials_;  // the place is the index
  TrialLine& line_;
  std::size_t asked_ = 0;
  unsigned differences_ = 0;
  Opinions opinions_;
  std::optional<double> best_;
};

}  // namespace hone::tune
