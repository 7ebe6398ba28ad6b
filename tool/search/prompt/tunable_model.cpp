#include "tool/search/prompt/tunable_model.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <optional>

namespace hone::search {
namespace {

using Table = std::vector<std::vector<double>>;

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

Table distances_of(const Tunable& tunable) {
  const std::vector<double> places = places_of(tunable);
  const std::size_t count = tunable.values.size();
  Table apart(count, std::vector<double>(count));
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
  const auto count = static_cast<Eigen::Index>(choices_.size());
  Eigen::MatrixXd covariance(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      covariance(i, j) = covariance(j, i) = likeness(choices_[i], choices_[j]) + (i == j ? noise : 0);
  covariance_.compute(covariance);
  weights_ = covariance_.solve(values_);
  return -values_.dot(weights_) / 2 - covariance_.matrixL().toDenseMatrix().diagonal().array().log().sum();
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
  values_.resize(static_cast<Eigen::Index>(measured.size()));
  for (const auto& [choice, value] : measured) {
    values_[static_cast<Eigen::Index>(choices_.size())] = value;
    choices_.push_back(choice);
  }
  middle_ = values_.mean();
  values_.array() -= middle_;
  spread_ = std::max(std::sqrt(values_.squaredNorm() / static_cast<double>(values_.size())), 1e-6);
  values_ /= spread_;
  choose_reaches();
}

TunableModel::Guess TunableModel::at(const TunableChoice& choice) const {
  Eigen::VectorXd shared(values_.size());
  for (Eigen::Index i = 0; i < shared.size(); ++i) shared[i] = likeness(choice, choices_[i]);
  const double variance = 1 - covariance_.matrixL().solve(shared).squaredNorm();
  return {middle_ + spread_ * shared.dot(weights_), spread_ * std::sqrt(std::max(variance, 0.0))};
}

double TunableModel::expected_gain(const TunableChoice& choice, double best) const {
  const auto [mean, deviation] = at(choice);
  if (deviation <= 0) return std::max(mean - best, 0.0);
  constexpr double tau = 6.283185307179586;
  const double z = (mean - best) / deviation;
  return (mean - best) * 0.5 * std::erfc(-z / std::sqrt(2.0)) + deviation * std::exp(-z * z / 2) / std::sqrt(tau);
}

}  // namespace hone::search
