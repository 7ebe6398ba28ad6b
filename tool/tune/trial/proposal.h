// What a source of candidates proposes for one trial.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/model/candidate.h"
#include "tool/search/prompt/tunables.h"

namespace hone::tune {

struct Proposal {
  Candidate candidate;                    // has the tunables' default choice, where nothing else is said
  std::string title;                      // what a reply calls it; names of choices begin with it
  std::string written;                    // as it was proposed, tunables and all; "" where a reply held no code
  std::vector<search::Tunable> tunables;  // none: nothing to choose
  std::optional<double> predicted_gain;

  // The candidate with another choice for the tunables.
  Candidate chosen(const search::TunableChoice& choice) const;
  // The candidate with the default choice, named by the title alone: as it is before anybody has chosen.
  Candidate unchosen() const;
};

}  // namespace hone::tune
