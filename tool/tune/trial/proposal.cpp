#include "tool/tune/trial/proposal.h"

namespace hone::tune {

Candidate Proposal::chosen(const search::TunableChoice& choice) const {
  Candidate result = candidate;
  if (tunables.empty()) return result;
  result.source = search::resolve_tunables(written, tunables, choice);
  result.name = title + " " + search::describe_choice(tunables, choice);
  return result;
}

Candidate Proposal::unchosen() const {
  if (tunables.empty()) return candidate;
  Candidate result = chosen(search::default_choice(tunables));
  result.name = title;
  return result;
}

}  // namespace hone::tune
