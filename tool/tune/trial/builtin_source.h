// Trials that the built-in proposer's search asks for: genomes, rendered as text on a thread of their own.
#pragma once

#include <functional>
#include <map>

#include "tool/search/search.h"
#include "tool/transforms/workshop.h"
#include "tool/tune/trial/thread_pool.h"
#include "tool/tune/trial/trial_line.h"
#include "tool/tune/trial/trial_source.h"

namespace hone::tune {

class BuiltinSource : public TrialSource {
 public:
  // Called on one thread at a time, which is not the line's.
  using Render = std::function<frontend::Rendered(const Genome&)>;

  // Search and line are borrowed.
  BuiltinSource(search::Search& search, Render render, TrialLine& line);

  void ask() override;
  bool finished() const override { return requests_.empty() || line_.has_enough(); }
  Result<unsigned> tell(unsigned place, const TrialResult& result) override;
  std::optional<double> best() const override;

 private:
  search::Search& search_;
  Render render_;
  TrialLine& line_;
  std::map<unsigned, search::Request> requests_;  // open ones, by their place
  ThreadPool rendering_;                          // last: its thread uses render_
};

}  // namespace hone::tune
