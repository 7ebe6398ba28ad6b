// How a new genome is made from old ones: the half of a strategy that looks at code and never at verdicts.
//
// An operator takes its parents' genomes and returns a child, or nothing where it cannot make one (an argument to tune
// where there is none). Pure and deterministic by the Random that is passed in.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tool/model/candidate.h"
#include "tool/search/memory/portable_random.h"

namespace hone::search {

// The catalog, and what its recipes show of which transforms go together: after `a` the recipes often say `b`.
class Vocabulary {
 public:
  explicit Vocabulary(Catalog catalog);

  const Catalog& catalog() const { return catalog_; }
  bool empty() const { return catalog_.transforms.empty(); }
  const TransformSite* find(const std::string& transform) const;

  // A gene to stand behind `previous` (null: at the front); likelier one that recipes put there.
  Gene draw(const Gene* previous, Random& random) const;
  Gene draw_arguments(const TransformSite& transform, unsigned site, Random& random) const;

 private:
  std::vector<double> weights_behind(const Gene* previous) const;

  Catalog catalog_;
  std::vector<std::vector<double>> succession_;  // [previous + 1][next]: counted in the recipes; row 0 is the front
};

struct Operator {
  std::string_view name;
  unsigned parents;  // distinct
  std::optional<Genome> (*apply)(const Vocabulary&, std::span<const Genome> parents, Random&);
};

std::span<const Operator> operators();
const Operator* find_operator(std::string_view name);

// A genome longer than this is not made: each gene is a parse, and a long one repeats itself.
inline constexpr std::size_t longest_genome = 16;

}  // namespace hone::search
