#include "tool/search/operators.h"

#include <algorithm>
#include <cassert>

namespace hone::search {
namespace {

bool holds(const Genome& genome, const Gene& gene) {
  return std::find(genome.begin(), genome.end(), gene) != genome.end();
}

// init: some genes that recipes would put behind each other, seldom the same one twice.
std::optional<Genome> init(const Vocabulary& vocabulary, std::span<const Genome>, Random& random) {
  if (vocabulary.empty()) return std::nullopt;
  Genome genome;
  const std::size_t length = 1 + random.below(5);
  for (std::size_t i = 0; i < length; ++i) {
    Gene gene = vocabulary.draw(genome.empty() ? nullptr : &genome.back(), random);
    if (!holds(genome, gene)) genome.push_back(std::move(gene));
  }
  return genome;
}

// crossover: the head of one parent and the tail of the other, or all of one and what the other has beside it.
std::optional<Genome> crossover(const Vocabulary&, std::span<const Genome> parents, Random& random) {
  const bool swap = random.chance(0.5);
  const Genome& first = parents[swap];
  const Genome& second = parents[!swap];
  const bool whole = random.chance(0.5);
  const std::size_t head = whole ? first.size() : random.below(first.size() + 1);
  const std::size_t tail = whole ? 0 : random.below(second.size() + 1);
  Genome child(first.begin(), first.begin() + head);
  for (std::size_t i = tail; i < second.size(); ++i)
    if (!holds(child, second[i]) && child.size() < longest_genome) child.push_back(second[i]);
  return child;
}

// tune-constants: one argument moves to a neighbor among its choices, at times further.
std::optional<Genome> tune_constants(const Vocabulary& vocabulary, std::span<const Genome> parents, Random& random) {
  Genome child = parents[0];
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t g = 0; g < child.size(); ++g) {
    const TransformSite* transform = vocabulary.find(child[g].transform);
    for (std::size_t a = 0; transform && a < child[g].arguments.size() && a < transform->argument_choices.size(); ++a)
      if (transform->argument_choices[a].size() > 1) places.emplace_back(g, a);
  }
  if (places.empty()) return std::nullopt;
  const auto [g, a] = places[random.below(places.size())];
  const std::vector<int>& choices = vocabulary.find(child[g].transform)->argument_choices[a];
  int& argument = child[g].arguments[a];
  const std::size_t at = std::find(choices.begin(), choices.end(), argument) - choices.begin();
  std::size_t to = random.below(choices.size());
  if (at < choices.size() && random.chance(0.7))
    to = random.chance(0.5) ? at + 1 : at - 1;  // wraps below zero: too large
  if (to >= choices.size() || to == at) to = at > 0 && at < choices.size() ? at - 1 : (at + 1) % choices.size();
  argument = choices[to];
  return child;
}

void add(const Vocabulary& vocabulary, Genome& genome, Random& random) {
  if (genome.size() >= longest_genome) return;
  const std::size_t at = random.below(genome.size() + 1);
  genome.insert(genome.begin() + at, vocabulary.draw(at ? &genome[at - 1] : nullptr, random));
}

void replace(const Vocabulary& vocabulary, Genome& genome, Random& random) {
  const std::size_t at = random.below(genome.size());
  genome[at] = vocabulary.draw(at ? &genome[at - 1] : nullptr, random);
}

void move_site(const Vocabulary& vocabulary, Genome& genome, Random& random) {
  Gene& gene = genome[random.below(genome.size())];
  // One more than the untransformed kernel has: the genes before it may have made another place.
  if (const TransformSite* transform = vocabulary.find(gene.transform))
    gene.site = static_cast<unsigned>(random.below(transform->sites + 1));
}

void swap_order(const Vocabulary&, Genome& genome, Random& random) {
  const std::size_t at = random.below(genome.size());
  std::swap(genome[at], genome[random.below(genome.size())]);
}

void remove(const Vocabulary&, Genome& genome, Random& random) {
  genome.erase(genome.begin() + random.below(genome.size()));
}

// mutation: one step in the space of genomes, at times two.
std::optional<Genome> mutation(const Vocabulary& vocabulary, std::span<const Genome> parents, Random& random) {
  using Step = void (*)(const Vocabulary&, Genome&, Random&);
  static constexpr Step steps[] = {add, remove, replace, move_site, swap_order};
  static constexpr double weights[] = {4, 2, 1.5, 1, 1.5};
  if (vocabulary.empty()) return std::nullopt;
  Genome child = parents[0];
  do {
    const Step step = child.empty() ? add : steps[random.weighted(weights)];
    step(vocabulary, child, random);
  } while (random.chance(0.25));
  return child;
}

constexpr Operator operator_table[] = {
    {"init", 0, init},
    {"crossover", 2, crossover},
    {"mutation", 1, mutation},
    {"tune-constants", 1, tune_constants},
};

}  // namespace

Vocabulary::Vocabulary(Catalog catalog) : catalog_(std::move(catalog)) {
  const auto& transforms = catalog_.transforms;
  succession_.assign(transforms.size() + 1, std::vector<double>(transforms.size(), 0));
  for (const Genome& recipe : catalog_.recipes) {
    std::size_t row = 0;
    for (const Gene& gene : recipe) {
      const TransformSite* transform = find(gene.transform);
      if (!transform) continue;
      const std::size_t index = transform - transforms.data();
      succession_[row][index] += 1;
      row = index + 1;
    }
  }
}

const TransformSite* Vocabulary::find(const std::string& transform) const {
  for (const TransformSite& known : catalog_.transforms)
    if (known.transform == transform) return &known;
  return nullptr;
}

std::vector<double> Vocabulary::weights_behind(const Gene* previous) const {
  const TransformSite* transform = previous ? find(previous->transform) : nullptr;
  std::vector<double> weights = succession_[transform ? transform - catalog_.transforms.data() + 1 : 0];
  double seen = 0;
  for (const double weight : weights) seen += weight;
  // Half of the draws follow the recipes, half are free: what no recipe has may be what this kernel needs.
  const double free = (seen > 0 ? seen : 1) / static_cast<double>(weights.size());
  for (double& weight : weights) weight += free;
  return weights;
}

Gene Vocabulary::draw(const Gene* previous, Random& random) const {
  assert(!empty());
  const TransformSite& transform = catalog_.transforms[random.weighted(weights_behind(previous))];
  return draw_arguments(transform, static_cast<unsigned>(random.below(std::max(transform.sites, 1u))), random);
}

Gene Vocabulary::draw_arguments(const TransformSite& transform, unsigned site, Random& random) const {
  Gene gene{transform.transform, site, {}};
  for (const std::vector<int>& choices : transform.argument_choices)
    gene.arguments.push_back(choices.empty() ? 0 : choices[random.below(choices.size())]);
  return gene;
}

std::span<const Operator> operators() {
  return operator_table;
}

const Operator* find_operator(std::string_view name) {
  for (const Operator& known : operator_table)
    if (known.name == name) return &known;
  return nullptr;
}

}  // namespace hone::search
