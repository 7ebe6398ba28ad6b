#include "tool/search/selection.h"

#include <algorithm>
#include <cmath>

#include "tool/base/median.h"

namespace hone::search {
namespace {

using Member = Population::Member;

std::vector<double> sigmoid_weights(const std::vector<Member>& members, const Offspring& offspring) {
  std::vector<double> values, apart;
  for (const Member& member : members) values.push_back(member.fitness);
  const double middle = median(values);
  for (const double value : values) apart.push_back(std::abs(value - middle));
  const double spread = std::max(median(apart), 1e-6);
  std::vector<double> weights;
  for (const Member& member : members) {
    // Beyond ±30 the sigmoid is flat; a weight must not become zero.
    const double x = std::clamp(10 * (member.fitness - middle) / spread, -30.0, 30.0);
    weights.push_back(1 / (1 + std::exp(-x)) / (1 + offspring(member.trial)));
  }
  return weights;
}

std::vector<double> weights_of(const std::vector<Member>& members, Selection selection, const Offspring& offspring) {
  if (selection == Selection::sigmoid) return sigmoid_weights(members, offspring);
  std::vector<double> weights(members.size(), 1);
  if (selection == Selection::rank)
    for (std::size_t i = 0; i < members.size(); ++i) weights[i] = 1.0 / static_cast<double>(i + 1 + members.size());
  return weights;
}

}  // namespace

std::vector<unsigned> select_parents(const std::vector<Member>& members, std::size_t count, Selection selection,
                                     double pressure, const Offspring& offspring, Random& random) {
  count = std::min(count, members.size());
  std::vector<std::size_t> ranks;
  if (selection == Selection::best) {
    for (std::size_t i = 0; i < count; ++i) ranks.push_back(i);
  } else if (count) {
    std::vector<double> weights = weights_of(members, selection, offspring);
    for (double& weight : weights) weight = std::pow(weight, pressure);
    while (ranks.size() < count) {
      ranks.push_back(random.weighted(weights));
      weights[ranks.back()] = 0;
    }
  }
  std::sort(ranks.rbegin(), ranks.rend());
  std::vector<unsigned> trials;
  for (const std::size_t rank : ranks) trials.push_back(members[rank].trial);
  return trials;
}

}  // namespace hone::search
