#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "tool/search/archive.h"

namespace hone::search {
namespace {

using Member = Population::Member;

// The survivors of one island: the best few, or the best of each cell of a grid.
class Island {
 public:
  Island(std::size_t size, bool grid) : size_(size), grid_(grid) {}

  void add(const Member& member, const Cell& cell) {
    if (holds(member.trial)) return;
    if (grid_) {
      const auto [at, fresh] = cells_.emplace(cell, member);
      if (!fresh && at->second.fitness >= member.fitness) return;
      if (!fresh) std::erase_if(members_, [&](const Member& other) { return other.trial == at->second.trial; });
      at->second = member;
    }
    insert_ranked(members_, member);
    if (!grid_ && members_.size() > size_) members_.pop_back();
  }

  void clear() {
    members_.clear();
    cells_.clear();
  }

  const std::vector<Member>& members() const { return members_; }

 private:
  bool holds(unsigned trial) const {
    return std::any_of(members_.begin(), members_.end(), [&](const Member& member) { return member.trial == trial; });
  }

  std::size_t size_;
  bool grid_;
  std::vector<Member> members_;  // best first
  std::map<Cell, Member> cells_;
};

// Groups of survivors that meet every so often.
//
// Clusters are one group until the starts are told; then the most different of them found the islands, and each of the
// others joins the founder that it is most like.
class Islands final : public Archive {
 public:
  explicit Islands(const Strategy& strategy)
      : strategy_(strategy),
        grid_(strategy.population == "map-elites"),
        clustering_(strategy.population == "clusters"),
        size_(strategy.population == "single" ? 1 : strategy.size) {
    const bool several = strategy.population == "islands" || grid_;
    islands_.assign(several ? std::max(strategy.islands, 1u) : 1, Island(size_, grid_));
  }

  std::optional<Place> next(Random& random) override {
    Place place;
    place.island = islands_.size() > 1 ? static_cast<unsigned>(random.below(islands_.size())) : 0;
    place.members = islands_[place.island].members();
    place.pressure = pressure(place.members, random);
    return place;
  }

  void opened(const Place&) override {}
  void closed(const Place&, bool) override {}

  void add(const Individual& individual, const Place& place, Random& random) override {
    ++added_;
    if (individual.right) {
      known_[individual.trial] = individual;
      // The islands may have been drawn anew since the place was named.
      const std::size_t island = std::min<std::size_t>(place.island, islands_.size() - 1);
      islands_[island].add({individual.trial, individual.fitness}, individual.cell);
    }
    if (clustering_ && added_ >= strategy_.initial) cluster();
    if (islands_.size() > 1 && added_ % strategy_.period == 0) exchange(random);
  }

  void seed(const Individual& individual) override {
    if (!individual.right) return;
    known_[individual.trial] = individual;
    for (Island& island : islands_) island.add({individual.trial, individual.fitness}, individual.cell);
  }

  std::vector<Member> members() const override {
    std::vector<Member> all;
    std::set<unsigned> seen;
    for (const Island& island : islands_)
      for (const Member& member : island.members())
        if (seen.insert(member.trial).second) insert_ranked(all, member);
    return all;
  }

 private:
  // A grid is explored cell by cell three times in ten. In clusters the good ones are favored as long as there are
  // many kinds; where all look alike every one gets its chance.
  double pressure(const std::vector<Member>& members, Random& random) const {
    if (grid_) return random.chance(0.3) ? 0 : 1;
    if (strategy_.population != "clusters" || members.empty()) return 1;
    std::set<Cell> kinds;
    for (const Member& member : members) kinds.insert(known_.at(member.trial).cell);
    return 2 * static_cast<double>(kinds.size()) / static_cast<double>(members.size());
  }

  void cluster() {
    clustering_ = false;
    std::vector<Member> starts;
    for (const auto& [trial, individual] : known_) insert_ranked(starts, {trial, individual.fitness});
    const std::vector<Cell> founders = found(starts);
    islands_.assign(founders.size(), Island(size_, false));
    for (const Member& start : starts) {
      const Cell& cell = known_.at(start.trial).cell;
      const auto nearest = std::min_element(founders.begin(), founders.end(), [&](const Cell& a, const Cell& b) {
        return distance(cell, a) < distance(cell, b);
      });
      islands_[nearest - founders.begin()].add(start, cell);
    }
  }

  // The best, then whoever is furthest from all founders so far; no two alike.
  std::vector<Cell> found(const std::vector<Member>& starts) const {
    std::vector<Cell> founders;
    const auto apart = [&](const Member& member) {
      std::size_t least = strategy_.features.size() + 1;
      for (const Cell& founder : founders) least = std::min(least, distance(known_.at(member.trial).cell, founder));
      return least;
    };
    while (founders.size() < std::max(strategy_.islands, 1u)) {
      const auto furthest = std::max_element(starts.begin(), starts.end(),
                                             [&](const Member& a, const Member& b) { return apart(a) < apart(b); });
      if (!founders.empty() && apart(*furthest) == 0) break;
      founders.push_back(known_.at(furthest->trial).cell);
    }
    return founders;
  }

  void exchange(Random& random) {
    if (strategy_.exchange == Exchange::reset) reset(random);
    if (strategy_.exchange == Exchange::ring) migrate();
  }

  // FunSearch: the worse half dies, and each of its islands starts again from the best of one that lives.
  void reset(Random& random) {
    std::vector<Member> by_best;  // trial is the island here
    for (unsigned i = 0; i < islands_.size(); ++i) insert_ranked(by_best, {i, islands_[i].members().front().fitness});
    const std::size_t living = by_best.size() - by_best.size() / 2;
    for (std::size_t i = living; i < by_best.size(); ++i) {
      const Member founder = islands_[by_best[random.below(living)].trial].members().front();
      Island& island = islands_[by_best[i].trial];
      island.clear();
      island.add(founder, known_.at(founder.trial).cell);
    }
  }

  // OpenEvolve: the best of each also lives on the next one, all moving at once.
  void migrate() {
    std::vector<Member> best;
    for (const Island& island : islands_) best.push_back(island.members().front());
    for (std::size_t i = 0; i < best.size(); ++i)
      islands_[(i + 1) % islands_.size()].add(best[i], known_.at(best[i].trial).cell);
  }

  Strategy strategy_;
  bool grid_;
  bool clustering_;
  std::size_t size_;
  std::vector<Island> islands_;  // none is ever empty: each holds the original or whoever displaced it
  std::map<unsigned, Individual> known_;
  std::size_t added_ = 0;
};

}  // namespace

std::unique_ptr<Archive> make_islands(const Strategy& strategy) {
  return std::make_unique<Islands>(strategy);
}

}  // namespace hone::search
