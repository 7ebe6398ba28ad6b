// What a choice of tunables may be worth that nobody has measured: a Gaussian process over the values, for
// TunableSearch.
//
// A quarter of what two choices have in common is counted number by number, so that what one value does is known in
// places that were never looked at; the rest holds where all numbers are near. Values that are numbers above zero lie
// as their logarithms do, other numbers in their order, and words are all as far from each other. How far a number's
// effect reaches is chosen by what was measured (the marginal likelihood). Pure and deterministic; holds no more than
// some dozens of measurements. Not thread-safe.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

#include "tool/search/prompt/tunables.h"

namespace hone::search {

class TunableModel {
 public:
  explicit TunableModel(const std::vector<Tunable>& tunables);

  using Measured = std::vector<std::pair<TunableChoice, double>>;  // the logarithm of its fitness

  // In place of what it knew. At least one; choices are distinct.
  void learn(const Measured& measured);

  struct Guess {
    double mean = 0, deviation = 0;  // of the logarithm of the fitness
  };
  Guess at(const TunableChoice& choice) const;
  // By how much the logarithm is expected to rise above `best`; what is below counts as nothing.
  double expected_gain(const TunableChoice& choice, double best) const;

 private:
  using Table = std::vector<std::vector<double>>;  // of a number's values against each other

  struct Number {
    Table apart;           // how far its values are from each other, 0 … 1
    double reach = 1;      // so far apart they have little in common
    Table squares, alike;  // of that
  };
  static void set_reach(Number& number, double reach);
  double likeness(const TunableChoice& one, const TunableChoice& other) const;
  double fit();  // to the measurements, with the reaches as they are; returns how well they explain them
  void choose_reaches();

  std::vector<Number> numbers_;
  std::vector<TunableChoice> choices_;
  Eigen::VectorXd values_;  // standardized
  double middle_ = 0, spread_ = 1;
  Eigen::LLT<Eigen::MatrixXd> covariance_;  // of the measurements, factored
  Eigen::VectorXd weights_;
};

}  // namespace hone::search
