#include "tool/search/prompt/tunable_model.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace hone::search {
namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr std::array reaches{0.35, 1.0, 3.0, 9.0};  // the last: it hardly matters
constexpr double noise = 0.02;                      // of a measurement's variance, beside that of the landscape
constexpr double alone = 0.25;                      // of it: what numbers do each by itself

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Where the values lie between the smallest and the largest; nothing where they are no numbers.
std::vector<double> places_of(const Tunable& tunable) {
  std::vector<double> values;
  for (const std::string& text : tunable.values) {
    const auto value = number(text);
    if (!value || !std::isfinite(*value)) return {};
    values.push_back(*value);
  }
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  const bool logarithmic = sorted.front() > 0;
  std::vector<double> places;
  for (const double value : values)
    places.push_back(logarithmic ? std::log(value)
                                 : static_cast<double>(std::ranges::lower_bound(sorted, value) - sorted.begin()));
  const auto [least, most] = std::ranges::minmax(places);
  for (double& place : places) place = most > least ? (place - least) / (most - least) : 0;
  return places;
}

Matrix distances_of(const Tunable& tunable) {
  const std::vector<double> places = places_of(tunable);
  const std::size_t count = tunable.values.size();
  Matrix apart(count, std::vector<double>(count));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      apart[i][j] = places.empty() ? static_cast<double>(i != j) : std::abs(places[i] - places[j]);
  return apart;
}

// Matérn's covariance of smoothness 5/2.
double matern(double distance) {
  const double r = std::sqrt(5.0) * distance;
  return (1 + r + r * r / 3) * std::exp(-r);
}

// The lower factor of a covariance, in place. The noise on the diagonal keeps it positive.
void factorize(Matrix& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      matrix[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / matrix[j][j];
    }
}

std::vector<double> solve_lower(const Matrix& root, std::vector<double> right) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= root[i][k] * right[k];
    right[i] /= root[i][i];
  }
  return right;
}

std::vector<double> solve_upper(const Matrix& root, std::vector<double> right) {
  for (std::size_t i = right.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < right.size(); ++k) right[i] -= root[k][i] * right[k];
    right[i] /= root[i][i];
  }
  return right;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TunableModel::TunableModel(const std::vector<Tunable>& tunables) : numbers_(tunables.size()) {
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    numbers_[i].apart = numbers_[i].squares = numbers_[i].alike = distances_of(tunables[i]);
    set_reach(numbers_[i], 1);
  }
}

void TunableModel::set_reach(Number& number, double reach) {
  number.reach = reach;
  for (std::size_t i = 0; i < number.apart.size(); ++i)
    for (std::size_t j = 0; j < number.apart.size(); ++j) {
      const double distance = number.apart[i][j] / reach;
      number.squares[i][j] = distance * distance;
      number.alike[i][j] = matern(distance);
    }
}

double TunableModel::likeness(const TunableChoice& one, const TunableChoice& other) const {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    sum += numbers_[i].alike[one[i]][other[i]];
    squares += numbers_[i].squares[one[i]][other[i]];
  }
  return alone * sum / static_cast<double>(numbers_.size()) + (1 - alone) * matern(std::sqrt(squares));
}

double TunableModel::fit() {
  const std::size_t count = choices_.size();
  root_.assign(count, std::vector<double>(count));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j <= i; ++j) root_[i][j] = likeness(choices_[i], choices_[j]) + (i == j ? noise : 0);
  factorize(root_);
  const std::vector<double> whitened = solve_lower(root_, values_);
  weights_ = solve_upper(root_, whitened);
  double explained = 0;
  for (std::size_t i = 0; i < count; ++i) explained -= whitened[i] * whitened[i] / 2 + std::log(root_[i][i]);
  return explained;
}

// One number after the other, from where the last measurements left them.
void TunableModel::choose_reaches() {
  double best = fit();
  for (Number& number : numbers_) {
    double chosen = number.reach;
    for (const double other : reaches) {
      if (other == chosen) continue;
      set_reach(number, other);
      if (const double explained = fit(); explained > best) best = explained, chosen = other;
    }
    set_reach(number, chosen);
  }
  fit();
}

void TunableModel::learn(const Measured& measured) {
  assert(!measured.empty());
  choices_.clear();
  values_.clear();
  for (const auto& [choice, value] : measured) {
    choices_.push_back(choice);
    values_.push_back(value);
  }
  const auto count = static_cast<double>(values_.size());
  middle_ = sum_of(values_) / count;
  double squares = 0;
  for (const double value : values_) squares += (value - middle_) * (value - middle_);
  spread_ = std::max(std::sqrt(squares / count), 1e-6);
  for (double& value : values_) value = (value - middle_) / spread_;
  choose_reaches();
}

TunableModel::Guess TunableModel::at(const TunableChoice& choice) const {
  std::vector<double> shared;
  for (const TunableChoice& known : choices_) shared.push_back(likeness(choice, known));
  const double mean = std::inner_product(shared.begin(), shared.end(), weights_.begin(), 0.0);
  double variance = 1;
  for (const double part : solve_lower(root_, std::move(shared))) variance -= part * part;
  return {middle_ + spread_ * mean, spread_ * std::sqrt(std::max(variance, 0.0))};
}

double TunableModel::expected_gain(const TunableChoice& choice, double best) const {
  const auto [mean, deviation] = at(choice);
  if (deviation <= 0) return std::max(mean - best, 0.0);
  constexpr double tau = 6.283185307179586;
  const double z = (mean - best) / deviation;
  return (mean - best) * 0.5 * std::erfc(-z / std::sqrt(2.0)) + deviation * std::exp(-z * z / 2) / std::sqrt(tau);
}

}  // namespace hone::search
