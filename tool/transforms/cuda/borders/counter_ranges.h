// What the counters of a loop, and of the loops inside of it, make of an index: an expression that is linear in them is
// largest and smallest where they are at the ends of their ranges, so a comparison that holds there holds in every
// iteration.
//
//   for (int d = -r; d <= r; ++d) … i + d … :      i + d < n in all iterations where i + r < n
//
// Contract: tests are never looser than the comparison in each iteration; they are on names from outside of the loop.
// Only arithmetic with signs, which has no end to wrap around at, and what the loop does not change. Never changes
// anything. Borrows the AST and the loop.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// `value op bound`
struct Comparison {
  const clang::Expr* value = nullptr;
  clang::BinaryOperatorKind op = clang::BO_LT;  // <, <=, >, >=
  const clang::Expr* bound = nullptr;
};

class CounterRanges {
 public:
  CounterRanges(const KernelContext& context, const Loop& top);

  // Does the expression, or what a local of the loop stands for, mention a counter?
  bool moves(const clang::Expr* expression) const;
  // Does it differ between threads, as it mentions locals from outside of the loop?
  bool is_of_thread(const clang::Expr* expression) const;
  // Linear in the counters, and of that type as it is written.
  bool is_linear(const clang::Expr* expression, clang::QualType type) const;
  // What to ask once for all iterations; nullopt: the value is not linear, or the bound changes.
  std::optional<std::vector<std::string>> tests_of(const Comparison& comparison) const;

 private:
  // Where an expression is largest: at the counter's last value, at its first one, or at one of both.
  enum class Slope { up, down, either };
  using Slopes = std::map<const clang::ValueDecl*, Slope>;
  // Is each counter at its last value, or at its first one?
  using Ends = std::map<const clang::ValueDecl*, bool>;

  static Slopes turned(Slopes slopes);
  static Slopes sum(Slopes left, const Slopes& right);
  static Slopes product(Slopes slopes, std::optional<bool> negative);

  void add_counters(const Loop& loop);
  void each_reference(const clang::Expr* expression, const std::function<void(const clang::ValueDecl*)>& visit,
                      unsigned depth = 0) const;
  const clang::Expr* beginning_of(const clang::ValueDecl* declaration) const;
  bool has_type(const clang::Expr* expression, clang::QualType type) const;
  bool is_plain(clang::QualType type) const;
  bool is_steady(const clang::Expr* expression) const;
  bool widens(const clang::CastExpr& cast) const;
  std::optional<Slopes> slopes_of(const clang::Expr* expression) const;
  std::optional<Slopes> slopes_of(const clang::BinaryOperator& binary) const;
  std::optional<std::string> text_at(const clang::Expr* expression, const Ends& ends) const;
  std::optional<std::string> difference_at(const clang::Expr* expression, const Ends& ends) const;
  std::optional<std::string> end_of(const Loop& loop, bool last) const;

  const clang::ASTContext& ast_;
  const Loop& top_;
  std::set<const clang::ValueDecl*> written_;
  std::set<const clang::ValueDecl*> locals_;
  std::map<const clang::ValueDecl*, const Loop*> counters_;
};

}  // namespace hone::frontend
