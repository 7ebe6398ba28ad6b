#include "tool/judge/verify/casebook.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "tool/judge/verify/verification_budget.h"

namespace hone::judge {

Casebook::Casebook(const VerifySetup& setup, std::vector<Case> declared)
    : runs(setup),
      judge(runs),
      specials(runs),
      patterns(runs),
      declared(std::move(declared)),
      budget(verification_budget(setup.plan.depth)),
      sizes_(setup.spec.problems.size()) {}

unsigned Casebook::most_dropped_of_kind() const {
  return runs.plan().depth == bundle::Depth::trial ? runs.traits().most_dropped_trial : runs.traits().most_dropped;
}

const Case& Casebook::quickest() const {
  return *std::ranges::min_element(declared, {}, [&](const Case& c) { return seconds(c); });
}

const Case* Casebook::roomiest(double seconds, std::size_t bytes) const {
  const Case* found = nullptr;
  for (const Case& c : declared)
    if (this->seconds(c) <= seconds && c.bytes() <= bytes && (!found || c.bytes() > found->bytes())) found = &c;
  return found;
}

std::vector<Case> Casebook::small_cases(std::size_t most) const {
  return {survived.begin(), survived.begin() + static_cast<std::ptrdiff_t>(std::min(survived.size(), most))};
}

// The cases of the most elements come first: ties and runs need room.
std::vector<Case> Casebook::roomy_cases(std::size_t most) const {
  std::vector<Case> cases = survived;
  std::ranges::stable_sort(cases, std::ranges::greater{}, [](const Case& c) { return c.bytes(); });
  std::erase_if(cases, [](const Case& c) { return c.bytes() == 0 || c.bytes() > roomy_bytes; });
  if (cases.size() > most) cases.resize(most);
  return cases;
}

// Of the candidate's text and of the original's.
std::vector<long long> Casebook::constants() const {
  std::vector<long long> all = runs.plan().constants;
  for (const double constant : runs.spec().constants)
    if (constant == std::floor(constant) && std::fabs(constant) < 1e15) all.push_back(static_cast<long long>(constant));
  std::ranges::sort(all);
  const auto [end, last] = std::ranges::unique(all);
  all.erase(end, last);
  return all;
}

Result<Sizes> Casebook::sizes(unsigned problem) {
  std::optional<Sizes>& sizes = sizes_[problem];
  if (!sizes) {
    HONE_TRY(sizes, runs.maker().sizes(declared[problem]));
  }
  return *sizes;
}

}  // namespace hone::judge
