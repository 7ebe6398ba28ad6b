#include "tool/search/population.h"

#include <algorithm>
#include <cassert>

namespace hone::search {
namespace {

// The best `size` of all that were told.
class Elite : public Population {
 public:
  explicit Elite(unsigned size) : size_(size) {}

  void add(unsigned trial, const Verdict& verdict) override {
    const Member member{trial, fitness(verdict)};
    // The elder stays in front of its equals, so that the order never depends on the sort.
    const auto at = std::find_if(members_.begin(), members_.end(),
                                 [&](const Member& other) { return other.fitness < member.fitness; });
    members_.insert(at, member);
    if (members_.size() > size_) members_.pop_back();
  }

  const std::vector<Member>& survivors() const override { return members_; }

 private:
  std::size_t size_;
  std::vector<Member> members_;
};

}  // namespace

double fitness(const Verdict& verdict) {
  if (!verdict.right) return -1.0 / (1.0 + static_cast<double>(verdict.stage));
  return verdict.measurement.speedup.median;
}

std::vector<unsigned> Population::choose(unsigned count, Random& random) const {
  const auto& members = survivors();
  std::vector<double> weights;
  for (std::size_t rank = 1; rank <= members.size(); ++rank) weights.push_back(1.0 / (rank + members.size()));
  std::vector<std::size_t> ranks;
  while (ranks.size() < std::min<std::size_t>(count, members.size())) {
    ranks.push_back(random.weighted(weights));
    weights[ranks.back()] = 0;  // a parent is chosen once
  }
  std::sort(ranks.begin(), ranks.end());
  std::vector<unsigned> trials;
  for (const std::size_t rank : ranks) trials.push_back(members[rank].trial);
  return trials;
}

std::vector<std::string> population_names() {
  return {"single", "elite"};
}

std::unique_ptr<Population> make_population(const Strategy& strategy) {
  if (strategy.population == "single") return std::make_unique<Elite>(1);
  assert(strategy.population == "elite");
  return std::make_unique<Elite>(strategy.size);
}

}  // namespace hone::search
