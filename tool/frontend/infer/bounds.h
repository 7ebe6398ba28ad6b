// How large and how small an integer expression can get, as a formula over a function's parameters.
//
// Counters of loops take their first and last values; what Affine cannot follow is bounded by what makes it small: a
// remainder, a mask, a narrow type, a clamp. Borrows the AST.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/frontend/count/affine.h"

namespace clang {
class FunctionDecl;
class ForStmt;
class Stmt;
}  // namespace clang

namespace hone::frontend {

class Bounds {
 public:
  explicit Bounds(const clang::FunctionDecl& function);

  Affine& affine() { return affine_; }
  // The symbol of a number that is no parameter, by what clauses call it: "g->w".
  Polynomial number(const std::string& name);
  // `known` with each counter at its largest (smallest) value.
  Polynomial largest(Polynomial known) const;
  Polynomial smallest(Polynomial known) const;
  std::optional<Polynomial> upper(const clang::Expr* expression);
  std::optional<Polynomial> lower(const clang::Expr* expression);
  // a >= b where all parameters are large, as sizes are, whichever of them is larger.
  bool is_larger(const Polynomial& a, const Polynomial& b) const;
  // The end of a loop by its own formula, where no more is used than `x[i]` of a counter that goes in larger steps.
  Polynomial plain(const Polynomial& end) const;

  // A loop's counter between its first and its last value; nullopt: the loop has no such counter.
  struct Counter {
    const clang::VarDecl* variable = nullptr;
    Polynomial::Symbol symbol = 0;
    Polynomial first, last;  // smallest and largest value
    bool every = false;      // it takes all of them
  };
  bool enter(const clang::ForStmt& loop, const std::set<const clang::VarDecl*>& modified_in_body);
  // `while (i < n)`, for an i that the body only counts up from what it was.
  // Or `while (n--)`, for a parameter that nothing else changes.
  bool enter_while(const clang::Expr* condition, const std::set<const clang::VarDecl*>& modified_in_body);
  void enter_unknown();
  void leave();

  // A variable that only counts up, in loops deeper than now, and is used there in front of that: its largest value.
  void set_rising(const clang::VarDecl& variable, Polynomial largest) {
    rising_[&variable] = {std::move(largest), loops_.size()};
  }

  // Narrows counters by what an `if` asks, until the count of narrowings is that again.
  std::size_t narrow(const clang::Expr* condition, bool holds);
  // Of two numbers that no loop changes, as one number that is named by its formula.
  std::optional<Polynomial> quotient(const Polynomial& dividend, const Polynomial& divisor);
  std::size_t narrowings() const { return narrowings_.size(); }
  void widen(std::size_t narrowings);

  // How often the innermost `loops` loops run together; nullopt: not known.
  std::optional<Polynomial> trips(std::size_t from_depth) const;
  std::size_t depth() const { return loops_.size(); }
  // Does what goes to these places go to every one from 0 to the largest?
  bool fills(const Polynomial& place) const;

  const std::vector<std::string>& names() const { return names_; }
  bool mentions(const Polynomial& formula, unsigned parameter) const { return formula.mentions(parameter); }
  // As C++; "": it has fractions that no rounding mends.
  std::string text(const Polynomial& formula) const;

 private:
  struct Loop {
    std::optional<Counter> counter;
  };
  struct Narrowing {
    std::size_t loop = 0;
    Polynomial first, last;
  };
  // A number that stands for `span`, rounded up to a multiple of `step`.
  struct Rounded {
    Polynomial first, span;  // of the counter
    double step = 1;
  };
  Polynomial extreme(Polynomial known, bool largest) const;
  Polynomial last_of(const Polynomial& first, const Polynomial& end, double step);
  void compare(const clang::Expr& left, int opcode, const clang::Expr& right);
  struct Limit {
    int opcode = 0;
    Polynomial end;
  };
  std::optional<Limit> limit_of(const clang::Expr* condition, const clang::VarDecl& variable, Polynomial::Symbol symbol,
                                bool rising);

  const clang::FunctionDecl& function_;
  Affine affine_;
  std::vector<std::string> names_;  // of the parameters, of other numbers and of what is rounded, by symbol
  std::map<std::string, Polynomial::Symbol> numbers_;
  std::map<Polynomial::Symbol, Rounded> rounded_;
  struct Quotient {
    Polynomial::Symbol symbol = 0;
    Polynomial dividend;
    Polynomial::Symbol divisor = 0;
  };
  std::vector<Quotient> quotients_;
  Polynomial without_quotients(Polynomial end) const;
  Polynomial::Symbol next_ = 0;
  std::vector<Loop> loops_;
  std::vector<Narrowing> narrowings_;
  struct Rising {
    Polynomial largest;
    std::size_t depth = 0;
  };
  std::map<const clang::VarDecl*, Rising> rising_;
};

}  // namespace hone::frontend
