// Values of so many bits, known or not: what the machine computes with in place of numbers.
//
// A Term is a number where that is known, else a formula over the kernel's inputs, in z3's theory of bit-vectors. What
// can be computed is computed here, so that a loop over known sizes makes no formulas; a few rewritings keep sums that
// are built in different orders comparable. One bit is a truth value. One thread; Terms die before their Logic.
#pragma once

#include <llvm/ADT/APInt.h>
#include <z3++.h>

#include <map>
#include <optional>
#include <string>

namespace hone::proof {

class Term {
 public:
  Term() = default;
  explicit Term(llvm::APInt number) : width_(number.getBitWidth()), number_(std::move(number)) {}
  Term(unsigned width, z3::expr formula) : width_(width), formula_(std::move(formula)) {}

  unsigned width() const { return width_; }
  bool known() const { return !formula_; }
  const llvm::APInt& number() const { return number_; }
  const z3::expr& formula() const { return *formula_; }
  bool is(bool truth) const { return known() && number_.getBoolValue() == truth; }
  // The same number or the same formula, as they are written.
  bool same(const Term& other) const;

 private:
  unsigned width_ = 0;
  llvm::APInt number_;
  std::optional<z3::expr> formula_;
};

enum class Operation {
  add,
  subtract,
  multiply,
  udivide,
  sdivide,
  uremainder,
  sremainder,
  shl,
  lshr,
  ashr,
  conjoin,
  disjoin,
  differ
};
enum class Relation { eq, ne, ult, ule, slt, sle };

class Logic {
 public:
  z3::context& context() { return context_; }

  Term number(unsigned width, std::uint64_t value) const { return Term(llvm::APInt(width, value)); }
  Term truth(bool value) const { return number(1, value); }
  Term fresh(unsigned width, const std::string& name);
  z3::expr formula(const Term& term);  // of one bit: a Bool

  // Division by zero and shifts by too much give some value: whoever cares asks first.
  Term compute(Operation operation, const Term& a, const Term& b);
  Term compare(Relation relation, const Term& a, const Term& b);
  Term choose(const Term& condition, const Term& then, const Term& otherwise);
  Term widen(const Term& term, unsigned width, bool sign);
  Term extract(const Term& term, unsigned low, unsigned width);
  Term join(const Term& high, const Term& low);
  Term negate(const Term& truth);
  Term both(const Term& a, const Term& b) { return compute(Operation::conjoin, a, b); }
  Term either(const Term& a, const Term& b) { return compute(Operation::disjoin, a, b); }
  Term overflows(Operation operation, bool sign, const Term& a, const Term& b);
  // d where the sum is written as base + d.
  std::optional<Term> difference(const Term& sum, const Term& base);
  Term simplified(const Term& term);
  // The formula with its inputs named in the order in which they stand: what is alike for other inputs is one.
  z3::expr renamed(const z3::expr& formula);
  // What was found out about such a formula by itself.
  std::optional<bool> found(const z3::expr& renamed) const;
  void keep(const z3::expr& renamed, bool possible);
  Term substituted(const Term& in, const Term& what, const Term& by);

 private:
  Term of(unsigned width, z3::expr formula);
  z3::expr bits(const Term& term);  // of one bit: a vector of one
  z3::expr apply(Operation operation, const z3::expr& a, const z3::expr& b);

  z3::context context_;
  unsigned count_ = 0;
  std::map<unsigned, std::pair<z3::expr, bool>> found_;  // by z3's number, which lasts as long as the formula
};

}  // namespace hone::proof
