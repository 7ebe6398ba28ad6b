// What a source of candidates proposes for one trial.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/model/candidate.h"
#include "tool/search/prompt/tunables.h"

namespace hone::tune {

// Code that a reply proposes. `candidate.source` has the tunables' first values in place.
struct Proposal {
  Candidate candidate;
  std::string title;                      // what the reply calls it
  std::string written;                    // as the model wrote it, tunables and all
  std::vector<search::Tunable> tunables;  // none: nothing to choose
  std::optional<double> predicted_gain;

  // With another choice for the tunables.
  Candidate chosen(const search::TunableChoice& choice) const;
};

}  // namespace hone::tune
