#include "tool/frontend/count/polynomial.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace hone::frontend {
namespace {

double binomial(std::size_t n, std::size_t k) {
  double value = 1;
  for (std::size_t i = 0; i < k; ++i) value = value * static_cast<double>(n - i) / static_cast<double>(i + 1);
  return value;
}

Polynomial power(const Polynomial& base, std::size_t exponent) {
  Polynomial product(1);
  for (std::size_t i = 0; i < exponent; ++i) product = product * base;
  return product;
}

// 0^k + 1^k + … + (n-1)^k for each k up to `most`: as (t+1)^(k+1) - t^(k+1) sums up to n^(k+1), each follows from those
// before it.
std::vector<Polynomial> sums_of_powers(const Polynomial& n, std::size_t most) {
  std::vector<Polynomial> sums;
  for (std::size_t k = 0; k <= most; ++k) {
    Polynomial sum = power(n, k + 1);
    for (std::size_t j = 0; j < k; ++j) sum = sum - sums[j] * Polynomial(binomial(k + 1, j));
    sums.push_back(sum * Polynomial(1.0 / static_cast<double>(k + 1)));
  }
  return sums;
}

std::string number_text(double value) {
  std::array<char, 64> text{};
  const bool whole = value == std::floor(value) && std::fabs(value) < 1e15;
  const auto end =
      whole ? std::to_chars(text.data(), text.data() + text.size(), static_cast<long long>(value)).ptr
            : std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6).ptr;
  return std::string(text.data(), end);
}

// The largest number that divides all evenly (0.5 for 0.5 and -1.5); 1 when there is none worth showing.
double common_factor(const std::vector<double>& numbers) {
  double unit = 1;
  for (const double number : numbers)
    if (number != std::floor(number)) unit = std::min(unit, std::fabs(number));
  long long divisor = 0;
  for (const double number : numbers) {
    const double multiple = std::fabs(number) / unit;
    if (std::fabs(multiple - std::round(multiple)) > 1e-9 || multiple > 1e15) return 1;
    divisor = std::gcd(divisor, std::llround(multiple));
  }
  return divisor == 0 ? 1 : unit * static_cast<double>(divisor);
}

std::string product_text(double factor, const Polynomial::Monomial& symbols, const std::vector<std::string>& names) {
  std::string text = factor == 1 && !symbols.empty() ? "" : number_text(factor);
  for (const Polynomial::Symbol symbol : symbols)
    text += (text.empty() ? "" : "*") + (symbol < names.size() ? names[symbol] : "?");
  return text;
}

Polynomial::Monomial without(const Polynomial::Monomial& all, const Polynomial::Monomial& taken) {
  Polynomial::Monomial rest;
  std::ranges::set_difference(all, taken, std::back_inserter(rest));
  return rest;
}

}  // namespace

Polynomial::Polynomial(double constant) {
  if (constant != 0) terms_[{}] = constant;
}

Polynomial Polynomial::symbol(Symbol symbol) {
  Polynomial single;
  single.terms_[{symbol}] = 1;
  return single;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  for (const auto& [monomial, coefficient] : other.terms_) {
    double& sum = terms_[monomial];
    const double before = std::fabs(sum);
    sum += coefficient;
    // What should cancel, but for the rounding of a third, is gone.
    if (std::fabs(sum) <= 1e-12 * std::max(before, std::fabs(coefficient))) terms_.erase(monomial);
  }
  return *this;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial product;
  for (const auto& [left, c] : a.terms_)
    for (const auto& [right, d] : b.terms_) {
      Polynomial term;
      Polynomial::Monomial joined;
      std::ranges::merge(left, right, std::back_inserter(joined));
      term.terms_[joined] = c * d;
      product += term;
    }
  return product;
}

std::optional<double> Polynomial::constant() const {
  if (terms_.empty()) return 0.0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return std::nullopt;
}

bool Polynomial::mentions(Symbol symbol) const {
  return std::ranges::any_of(terms_, [&](const auto& term) { return std::ranges::count(term.first, symbol) > 0; });
}

bool Polynomial::is_multiple_of(double number) const {
  return std::ranges::all_of(terms_, [&](const auto& term) { return std::fmod(term.second, number) == 0; });
}

std::vector<Polynomial> Polynomial::by_powers_of(Symbol symbol) const {
  std::vector<Polynomial> coefficients(1);
  for (const auto& [monomial, coefficient] : terms_) {
    const auto exponent = static_cast<std::size_t>(std::ranges::count(monomial, symbol));
    if (coefficients.size() <= exponent) coefficients.resize(exponent + 1);
    Monomial rest = monomial;
    std::erase(rest, symbol);
    coefficients[exponent].terms_[rest] = coefficient;
  }
  return coefficients;
}

Polynomial Polynomial::summed(Symbol symbol, const Polynomial& first, double step, const Polynomial& count) const {
  const std::vector<Polynomial> coefficients = by_powers_of(symbol);
  const std::vector<Polynomial> sums = sums_of_powers(count, coefficients.size() - 1);
  Polynomial total;
  for (std::size_t k = 0; k < coefficients.size(); ++k)  // of (first + step*t)^k over t
    for (std::size_t j = 0; j <= k; ++j)
      total += coefficients[k] * power(first, k - j) * sums[j] *
               Polynomial(binomial(k, j) * std::pow(step, static_cast<double>(j)));
  return total;
}

std::optional<double> Polynomial::at(const std::map<Symbol, double>& values) const {
  double sum = 0;
  for (const auto& [monomial, coefficient] : terms_) {
    double product = coefficient;
    for (const Symbol symbol : monomial) {
      const auto value = values.find(symbol);
      if (value == values.end()) return std::nullopt;
      product *= value->second;
    }
    sum += product;
  }
  return sum;
}

double Polynomial::at_all(double value) const {
  double sum = 0;
  for (const auto& [monomial, coefficient] : terms_)
    sum += coefficient * std::pow(value, static_cast<double>(monomial.size()));
  return sum;
}

std::string Polynomial::text(const std::vector<std::string>& names) const {
  if (terms_.empty()) return "0";
  if (terms_.size() == 1) return product_text(terms_.begin()->second, terms_.begin()->first, names);
  std::vector<std::pair<Monomial, double>> terms(terms_.begin(), terms_.end());
  std::ranges::stable_sort(terms, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  Monomial shared = terms.front().first;
  std::vector<double> coefficients;
  for (const auto& [monomial, coefficient] : terms) {
    Monomial both;
    std::ranges::set_intersection(shared, monomial, std::back_inserter(both));
    shared = std::move(both);
    coefficients.push_back(coefficient);
  }
  const double factor = common_factor(coefficients);
  std::string sum;
  for (const auto& [monomial, coefficient] : terms) {
    const double rest = coefficient / factor;
    if (!sum.empty()) sum += rest < 0 ? " - " : " + ";
    sum += product_text(sum.empty() ? rest : std::fabs(rest), without(monomial, shared), names);
  }
  if (factor == 1 && shared.empty()) return sum;
  return product_text(factor, shared, names) + "*(" + sum + ")";
}

}  // namespace hone::frontend
