// A genome in the making: genes are aimed at places in the kernel as it stands after those before, and kept if they
// apply.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/transformation.h"

namespace hone::frontend {

// The state that a genome leads to. Genes that do nothing are taken out of it. The contexts, one for each kernel of a
// launcher, are valid until the next call. Where `stop` fires, builders look at no more places: what they have stands.
struct StateOf {
  std::function<const std::vector<KernelContext>&(Genome&)> reach;
  std::stop_token stop = {};

  const std::vector<KernelContext>& operator()(Genome& genome) const { return reach(genome); }
};

class RecipeBuilder {
 public:
  // Picks among the places of a transformation; the loop is null where the place is no counted loop.
  using Aim = std::function<bool(const KernelContext&, const Loop*)>;

  // Aims at one kernel of a launcher, behind the genes of `start`, which all apply.
  explicit RecipeBuilder(const StateOf& state_of, std::size_t kernel = 0, Genome start = {})
      : state_of_(&state_of), kernel_(kernel), genome_(std::move(start)) {}

  // The gene at the first place that fits and where it does something. False: there is none.
  bool once(const std::string& transform, std::vector<int> arguments = {}, const Aim& aim = {});
  // At every place that fits, each one once: what a gene leaves behind at its own place is not transformed again.
  bool everywhere(const std::string& transform, std::vector<int> arguments = {}, const Aim& aim = {});

  const KernelContext& state() { return (*state_of_)(genome_).at(kernel_); }
  const Genome& genome() const { return genome_; }

 private:
  bool is_over() const { return state_of_->stop.stop_requested(); }
  // Tries from site `first` on; the number of the site that took it.
  std::optional<unsigned> apply(const std::string& transform, const std::vector<int>& arguments, const Aim& aim,
                                unsigned first);

  // Places of the launcher's kernels in front of this one are counted first.
  unsigned sites_in_front(const Transformation& transformation);

  const StateOf* state_of_;
  std::size_t kernel_;
  Genome genome_;
};

}  // namespace hone::frontend
