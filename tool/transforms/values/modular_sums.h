// What a loop adds up modulo one number, and how long its remainders can wait.
//
//   a = (a + x[i]) % m;  b = (b + a) % m;      // two sums, the second of the first
//   a += x[i];  if (a >= m) a -= m;            // the same modulo, by a subtraction
//
// Contract: what is found holds for whatever memory and parameters hold, by types and constants alone: every sum and
// all that it is made of are never negative, and the loop as it is never wraps around. Whoever uses it asks before the
// loop runs whether a modulus that is no constant lies between least_modulus() and the block's largest_modulus, and is
// above 0, and whether each sum that starts_anywhere() lies between 0 and the modulus. Never changes anything. Borrows
// the AST and the loop.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "tool/transforms/calls/stable_value.h"
#include "tool/transforms/code/interval.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// At most factor * (modulus - 1) + addend.
struct ResidueBound {
  std::uint64_t factor = 0, addend = 0;
};

class ModularSums {
 public:
  struct Step {
    const clang::Stmt* statement = nullptr;
    const clang::VarDecl* sum = nullptr;  // null: the statement has nothing to do with the sums
    const clang::Expr* value = nullptr;   // what the sum is set to, or null: nothing but a remainder is taken
    bool adds = false;                    // it is `sum += value`
    bool reduces = false;                 // a remainder is taken (last)
    bool subtracts = false;               // by `if (sum >= m) sum -= m`
  };

  ModularSums(const KernelContext& context, const Loop& loop);

  bool any() const { return !sums_.empty(); }
  const std::vector<const clang::VarDecl*>& sums() const { return sums_; }  // in the order of their remainders
  const std::vector<Step>& steps() const { return steps_; }                 // the statements of the body
  const clang::Expr* modulus() const { return modulus_; }
  std::optional<std::uint64_t> constant() const { return constant_; }
  // Its value when the loop begins may be above what is counted on.
  bool starts_anywhere(const clang::VarDecl* sum) const { return !starts_.contains(sum); }

  // Iterations for which no sum exceeds `most`, at most `longest`, if the modulus is at most `largest_modulus`.
  struct Block {
    std::uint64_t iterations = 0, largest_modulus = 0;
  };
  Block block(std::uint64_t most, std::uint64_t longest);
  // For the loop as it is. Only where the modulus is not constant.
  std::uint64_t least_modulus() const { return least_ + 1; }
  // The largest number that conversions in the sums' values, written by the user, leave alone.
  std::uint64_t largest_converted() const { return largest_converted_; }

 private:
  using Bounds = std::map<const clang::VarDecl*, ResidueBound>;

  bool find();
  bool is_eligible(const clang::VarDecl* variable) const;
  std::optional<Step> step_of(const clang::Stmt* statement);
  std::optional<Step> step_of_assignment(const clang::BinaryOperator& assignment);
  std::optional<Step> step_of_branch(const clang::IfStmt& branch);
  bool is_modulus(const clang::Expr* expression);
  void set_start(const clang::VarDecl* sum);
  bool never_wraps();

  bool mentions_sums(const clang::Stmt* statement);
  ResidueBound start_of(const clang::VarDecl* sum) const;
  // `check`: whatever a part of the expression is at most is held against its type.
  std::optional<ResidueBound> bound_of(const clang::Expr* expression, const Bounds& bounds, bool check);
  std::optional<ResidueBound> bound_of_sums(const clang::Expr* expression, const Bounds& bounds, bool check);
  std::optional<ResidueBound> bound_of_others(const clang::Expr* expression, unsigned depth = 0);
  bool stays_within(const ResidueBound& bound, std::uint64_t most);
  bool is_below_twice(const ResidueBound& bound);
  std::optional<Bounds> after_iteration(Bounds bounds);
  std::optional<std::uint64_t> largest_for(const Bounds& bounds, std::uint64_t most) const;

  const KernelContext& context_;
  const Loop& loop_;
  Intervals intervals_;
  StableValues stable_;
  std::set<const clang::ValueDecl*> written_;
  std::vector<Step> steps_;
  std::vector<const clang::VarDecl*> sums_;
  std::map<const clang::VarDecl*, std::uint64_t> starts_;  // known greatest values
  const clang::Expr* modulus_ = nullptr;
  std::optional<std::uint64_t> constant_;
  std::uint64_t least_ = 1, largest_ = UINT64_MAX;  // modulus - 1
  std::uint64_t largest_converted_ = UINT64_MAX;
  std::map<const clang::Stmt*, bool> mentioning_;                              // answers of mentions_sums()
  std::map<const clang::Expr*, std::optional<ResidueBound>> known_of_others_;  // and of bound_of_others()
};

// The largest number of an integer type of up to 64 bits.
std::uint64_t largest_of(const clang::ASTContext& ast, clang::QualType type);

}  // namespace hone::frontend
