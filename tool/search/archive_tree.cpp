#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "tool/search/archive.h"

namespace hone::search {
namespace {

using Member = Population::Member;

// UCT over programs (KernelEvolve's graph, of which every node has one first parent).
//
// From the original down: a node with fewer children than it may have is the one to expand, otherwise its child with
// the best upper bound is looked at. An open line counts as a visit that brought nothing, so that several go different
// ways.
class Tree final : public Archive {
 public:
  explicit Tree(const Strategy& strategy)
      : width_(std::max(strategy.width, 1u)), abreast_(strategy.abreast), exploration_(strategy.exploration) {}

  std::optional<Place> next(Random&) override {
    Place place;
    place.current = descend(0);
    if (!place.current) return std::nullopt;
    place.island = *place.current;
    place.members = ranked_;
    return place;
  }

  void opened(const Place& place) override {
    ++nodes_.at(place.island).expanded;
    ++nodes_.at(place.island).open;
    for (std::optional<unsigned> at = place.island; at; at = nodes_.at(*at).parent) ++nodes_.at(*at).visits;
  }

  // What came of the line was credited when it was added; the visit stays. A call that failed counts for no visit.
  void closed(const Place& place, bool answered) override {
    --nodes_.at(place.island).open;
    if (answered) return;
    --nodes_.at(place.island).expanded;
    for (std::optional<unsigned> at = place.island; at; at = nodes_.at(*at).parent) --nodes_.at(*at).visits;
  }

  void add(const Individual& individual, const Place& place, Random&) override {
    if (!individual.right) return;
    insert(individual, place.island);
    credit(individual.trial, reward_of(individual.fitness));
  }

  void seed(const Individual& individual) override {
    if (!individual.right) return;
    insert(individual, individual.trial == 0 ? std::nullopt : std::optional<unsigned>(0));
    credit(individual.trial, reward_of(individual.fitness));
  }

  std::vector<Member> members() const override { return ranked_; }

 private:
  struct Node {
    std::optional<unsigned> parent;
    std::vector<unsigned> children;
    double fitness = 1;
    double value = 0;  // sum of rewards below and here
    unsigned visits = 1;
    unsigned expanded = 0;  // lines that started here
    unsigned open = 0;      // … and have not ended
  };

  // 0 for what is no faster, towards 1 without bound on the speedup.
  static double reward_of(double fitness) { return fitness > 1 ? 1 - 1 / fitness : 0; }

  // The node to expand at or below this one. None: as many lines as may be are open on each, or below it.
  std::optional<unsigned> descend(unsigned at) const {
    const Node& node = nodes_.at(at);
    const bool full = abreast_ > 0 && node.open >= abreast_;
    if (node.expanded < width_ || node.children.empty()) return full ? std::nullopt : std::optional(at);
    std::vector<unsigned> children = node.children;
    std::stable_sort(children.begin(), children.end(), [&](unsigned a, unsigned b) {
      return upper_bound(node, nodes_.at(a)) > upper_bound(node, nodes_.at(b));
    });
    for (const unsigned child : children)
      if (const auto below = descend(child)) return below;
    return std::nullopt;
  }

  double upper_bound(const Node& parent, const Node& child) const {
    return child.value / child.visits + exploration_ * std::sqrt(std::log(parent.visits) / child.visits);
  }

  void insert(const Individual& individual, std::optional<unsigned> parent) {
    Node node;
    node.parent = parent;
    node.fitness = individual.fitness;
    nodes_[individual.trial] = node;
    if (parent) nodes_.at(*parent).children.push_back(individual.trial);
    insert_ranked(ranked_, {individual.trial, individual.fitness});
  }

  void credit(unsigned trial, double reward) {
    for (std::optional<unsigned> at = trial; at; at = nodes_.at(*at).parent) nodes_.at(*at).value += reward;
  }

  unsigned width_;
  unsigned abreast_;  // 0: any number
  double exploration_;
  std::map<unsigned, Node> nodes_;
  std::vector<Member> ranked_;
};

}  // namespace

std::unique_ptr<Archive> make_tree(const Strategy& strategy) {
  return std::make_unique<Tree>(strategy);
}

}  // namespace hone::search
