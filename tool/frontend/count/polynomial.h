// Sums of products over named integers, "2*m*n*k": what trip counts and extents come to when each is affine.
//
// Symbols are numbers; whoever prints or evaluates says what they stand for. Coefficients are doubles, exact as long as
// they are integers or halves of such. Pure values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hone::frontend {

class Polynomial {
 public:
  using Symbol = unsigned;
  using Monomial = std::vector<Symbol>;  // sorted; a square has its symbol twice

  Polynomial() = default;  // 0
  Polynomial(double constant);
  static Polynomial symbol(Symbol symbol);

  Polynomial& operator+=(const Polynomial& other);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a += b * Polynomial(-1); }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  bool operator==(const Polynomial&) const = default;

  bool is_zero() const { return terms_.empty(); }
  std::optional<double> constant() const;  // where it is one
  std::size_t size() const { return terms_.size(); }
  bool mentions(Symbol symbol) const;
  bool is_multiple_of(double number) const;  // each coefficient is

  // This polynomial's coefficients by powers of `symbol`, polynomials without it: p = c[0] + c[1]*symbol + …
  std::vector<Polynomial> by_powers_of(Symbol symbol) const;
  // This polynomial's sum over `count` values of `symbol`: first, first + step, … For a count below zero the formula
  // goes on.
  Polynomial summed(Symbol symbol, const Polynomial& first, double step, const Polynomial& count) const;

  // Without a value where a symbol has none.
  std::optional<double> at(const std::map<Symbol, double>& values) const;
  // With every symbol the same.
  double at_all(double value) const;
  std::string text(const std::vector<std::string>& names) const;  // common factors in front: "4*(m*n + n*k)"

 private:
  std::map<Monomial, double> terms_;  // none is 0
};

}  // namespace hone::frontend
