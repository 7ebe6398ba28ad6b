// Which order of a loop's work must be kept: whether neighboring iterations may run together, each statement for all of
// them before the next one.
//
// Contract: true only where the subscripts show it; distinct base variables are taken as distinct memory, as the
// annotation promises, and rows of an array as no shorter than the loop that runs along them. What is not understood is
// false. Never changes anything.
#pragma once

#include <optional>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

inline constexpr std::size_t most_compared = 256;  // accesses of a loop, each with each other one

// Copies of consecutive iterations, jammed into the loops inside or run as lanes, compute what the loop computes. The
// loops inside keep their order.
bool copies_keep_order(const clang::ASTContext& ast, const Loop& loop);

// How far apart accesses are in a loop, which is borrowed.
class IterationDistances {
 public:
  explicit IterationDistances(const Loop& loop);
  // The iterations after which `second` is where `first` was; 0 also where both stay at one place. nullopt: never, or
  // nobody knows.
  std::optional<long long> between(const Access& first, const Access& second) const;
  // Variables from outside that the loop changes, its counter aside.
  const std::set<const clang::VarDecl*>& carried() const { return carried_; }

 private:
  bool moves_with_counter_alone(const IndexPolynomial& index) const;

  const Loop& loop_;
  std::set<const clang::VarDecl*> carried_;
  std::set<const clang::ValueDecl*> own_;
};

// An iteration reads what one of the few before it wrote: side by side they are certain to go wrong.
bool reads_what_it_just_wrote(const clang::ASTContext& ast, const Loop& loop);

// Each iteration leaves a value of its own where all of them do, and reads it elsewhere in its body: a row that is
// written anew from the row before, or memory that is used again and again. Side by side they are certain to go wrong.
// What is added up in one statement (`a[j] += …`) is none of that.
bool iterations_meet(const clang::ASTContext& ast, const Loop& loop);

// How many consecutive iterations may run at once, each by a thread of its own, if all wait for each other behind them:
// the shortest distance, in iterations, at which one touches what another writes. nullopt: not known, or none does.
std::optional<long long> dependence_distance(const clang::ASTContext& ast, const Loop& loop);

}  // namespace hone::frontend
