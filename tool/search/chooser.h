// Which of a strategy's operators is asked next.
//
//   weighted  by chance, p ∝ weight
//   cycle     in the order of the list, each as often in a row as its weight says
//   bandit    by what it brought for what it cost: UCB1 over discounted rewards, so that what worked early on does not
//             rule for ever
//
// The same bandit chooses among the models of an ensemble. Deterministic by the Random and by what it is told.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tool/search/memory/portable_random.h"
#include "tool/search/strategy.h"

namespace hone::search {

class Chooser {
 public:
  virtual ~Chooser() = default;
  // Chooses among the eligible, of which there must be one.
  virtual std::size_t choose(const std::vector<bool>& eligible, Random& random) = 0;
  // The choice ended: reward from 0 to about 1, cost in any one unit.
  virtual void learn(std::size_t choice, double reward, double cost) = 0;
  // The choice ended without an answer.
  virtual void forget(std::size_t choice) = 0;
};

std::unique_ptr<Chooser> make_chooser(Schedule schedule, std::vector<double> weights, double exploration);

}  // namespace hone::search
