// A trial line whose source submits what it was given.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/tune/trial/line_bench.h"
#include "tool/tune/trial/proposal.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/trial_source.h"

namespace hone::tune {

inline Proposal text(const std::string& source) {
  Proposal proposal;
  proposal.written = proposal.candidate.source = proposal.candidate.name = source;
  return proposal;
}

// With a constant to choose: the object is "fastN", so that the choice of N is how fast it is.
inline Proposal tunable(const std::string& name, const std::string& values) {
  Proposal proposal;
  proposal.written = name + " HONE_TUNABLE(N, " + values + ");";
  proposal.tunables = search::find_tunables(proposal.written).value();
  proposal.title = name;
  proposal.candidate = proposal.unchosen();
  return proposal;
}

// Submits what it was given, a place for each, as long as the line has room.
class Script : public TrialSource {
 public:
  Script(TrialLine& line, std::vector<Proposal> proposals) : line_(line), proposals_(std::move(proposals)) {}
  Script(TrialLine& line, const std::vector<std::string>& sources) : line_(line) {
    for (const std::string& source : sources) proposals_.push_back(text(source));
  }

  void ask() override {
    for (; asked < proposals_.size() && line_.has_room() && (!one_by_one || line_.open_places() == 0); ++asked) {
      line_.open(asked);
      submit(asked, proposals_[asked]);
    }
  }
  bool finished() const override {
    return line_.open_places() == 0 && (!one_by_one || line_.has_enough() || asked == proposals_.size());
  }
  Result<unsigned> tell(unsigned place, const TrialResult& result) override {
    places.push_back(place);
    told.push_back(result.proposal.candidate.name +
                   (result.duplicate_of ? " = " + std::to_string(*result.duplicate_of)
                                        : ": " + (result.verdict.right ? "right" : result.verdict.reason)));
    results.push_back(result);
    if (result.verdict.right && result.verdict.faster)
      best_ = std::max(best_.value_or(1), result.verdict.measurement.speedup.median);
    after_telling(place);
    return result.duplicate_of ? 0 : ++trials_;
  }
  void passed(unsigned place) override {
    places.push_back(place);
    told.push_back("passed");
  }
  std::optional<double> best() const override { return best_; }
  bool is_overdue(unsigned place) const override { return overdue == place; }
  void end() override { ended = true; }

  std::function<void(unsigned, Proposal)> submit = [this](unsigned place, Proposal proposal) {
    line_.submit(place, {std::move(proposal)});
  };
  std::function<void(unsigned)> after_telling = [](unsigned) {};
  std::optional<unsigned> overdue;
  bool one_by_one = false;  // each once the one before was told
  unsigned asked = 0;
  bool ended = false;
  std::vector<unsigned> places;
  std::vector<std::string> told;
  std::vector<TrialResult> results;

 private:
  TrialLine& line_;
  std::vector<Proposal> proposals_;
  std::optional<double> best_;
  unsigned trials_ = 0;
};

class TrialLineTest : public LineBench {
 protected:
  // Runs the line on these texts.
  std::vector<std::string> told(const std::vector<std::string>& sources) { return told(sources, options()); }
  std::vector<std::string> told(const std::vector<std::string>& sources, TrialLine::Options options) {
    TrialLine line(ports(), std::move(options), stop_.get_token());
    Script script(line, sources);
    outcome_ = line.run(script);
    return script.told;
  }

  // Lets go of `held` once `object` was judged.
  void release_after(const std::string& held, const std::string& object) {
    stages_.hold(held);
    watch_ = std::jthread([this, held, object] {
      wait_until([&] { return stages_.times_judged(object) > 0; });
      stages_.release(held);
    });
  }

  SearchOutcome outcome_;
  std::jthread watch_;
};

}  // namespace hone::tune
