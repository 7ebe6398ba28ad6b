#include "tool/statistics/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "tool/base/median.h"
#include "tool/statistics/student_t.h"

namespace hone::statistics {
namespace {

constexpr double slower_margin = 1.02;   // so much a problem may lose where others gain
constexpr std::size_t fewest_pairs = 5;  // with fewer a median is one sample's word
constexpr unsigned fewest_batches = 5, most_batches = 40;
constexpr double draws_per_batch = 1.5;
constexpr std::size_t fewest_drawn = 3;  // batches: with two, Student's factor is in the hundreds
constexpr unsigned known_well = 200;     // degrees of freedom of an error that needs no estimating
constexpr double widest = 7;             // of half an interval: a factor of a thousand says enough, and stays a number
// What pairs may have in common lasts about so long: the timer moves the outputs to other pages as often.
constexpr double seconds_in_common = 10e-3;

struct Interval {
  double median = 0, low = 0, high = 0;  // of log(candidate/reference)
};

// The medians of log(candidate/reference), of the whole and of batches in time.
struct Medians {
  double whole = 0;
  std::vector<double> batches;
  double common_error = 0;  // that all of them share
};

Medians medians_of(const PairedSamples& samples, std::size_t batches) {
  assert(samples.reference.size() == samples.candidate.size());
  constexpr double tick = 1e-10;  // a quantized clock may read 0
  const std::size_t pairs = samples.reference.size();
  std::vector<double> ratios(pairs);
  for (std::size_t i = 0; i < pairs; ++i)
    ratios[i] = std::log(std::max(samples.candidate[i], tick) / std::max(samples.reference[i], tick));
  Medians result;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t begin = batch * pairs / batches, end = (batch + 1) * pairs / batches;
    result.batches.push_back(median_in_place(std::span(ratios).subspan(begin, end - begin)));
  }
  result.whole = median_in_place(ratios);
  result.common_error = samples.common_error;
  return result;
}

double standard_error(const std::vector<double>& batches) {
  const auto count = static_cast<double>(batches.size());
  double mean = 0, squares = 0;
  for (const double median : batches) mean += median / count;
  for (const double median : batches) squares += (median - mean) * (median - mean);
  return std::sqrt(squares / (count - 1) / count);
}

unsigned freedom_of(const std::vector<double>& batches) {
  return static_cast<unsigned>(batches.size() - 1);
}

// With fewer pairs than the rule wants, medians of batches are hardly medians: widen what comes of them.
double widening(std::size_t pairs, const AcceptanceRule& rule) {
  if (pairs >= rule.minimum_pairs || pairs == 0) return 0;
  return std::log1p(0.1 * (static_cast<double>(rule.minimum_pairs) / static_cast<double>(pairs) - 1));
}

Interval interval_of(const Medians& medians, double tail, double slack) {
  const double own = student_quantile_above(tail, freedom_of(medians.batches)) * standard_error(medians.batches);
  const double half = std::hypot(own, student_quantile_above(tail, known_well) * medians.common_error) + slack;
  const double bounded = std::min(half, widest);
  return {medians.whole, medians.whole - bounded, medians.whole + bounded};
}

double error_at(const AcceptanceRule& rule, unsigned look) {
  const double level = 1 - rule.confidence;
  if (rule.shares.size() != rule.looks.size())
    return level / static_cast<double>(std::max<std::size_t>(rule.looks.size(), 1));
  double total = 0;
  for (double share : rule.shares) total += share;
  return level * rule.shares[look] / total;
}

// Of those futures of the measurement that are likely as things stand, the share that ends accepted at the last look:
// the median moves on by the part of its error that is still to be measured away, and the interval has shrunk.
double hope(const Medians& medians, const AcceptanceRule& rule, unsigned look) {
  const double shrinkage = std::sqrt(rule.looks[look] / rule.looks.back());
  const double last_tail = error_at(rule, static_cast<unsigned>(rule.looks.size()) - 1) / 2;
  const double error = standard_error(medians.batches);
  const double last_half = student_quantile_above(last_tail, batches_of(rule.looks.back()) - 1) * error * shrinkage;
  const double way = std::log(rule.threshold) - last_half - medians.whole;
  const double still_open = error * std::sqrt(1 - shrinkage * shrinkage);
  if (still_open <= 0) return way > 0 ? 1 : 0;
  return student_probability(way / still_open, freedom_of(medians.batches));
}

// Batches that share one draw differ less than they err: of how many that is not so. Pairs with a draw each are as good
// as can be.
std::size_t batches_with_draws(std::span<const PairedSamples> problems, std::size_t batches) {
  for (const PairedSamples& samples : problems)
    if (samples.draws > 0 && samples.draws < samples.reference.size())
      batches = std::min(batches, static_cast<std::size_t>(samples.draws / draws_per_batch));
  return batches;
}

// Over all problems, weighted; they share the common error, too.
Medians overall_medians(std::span<const PairedSamples> problems, double total_weight, std::size_t batches) {
  Medians overall{0, std::vector<double>(batches)};
  for (const PairedSamples& samples : problems) {
    const double share = samples.weight / total_weight;
    const Medians own = medians_of(samples, batches);
    overall.whole += share * own.whole;
    overall.common_error += share * own.common_error;
    for (std::size_t batch = 0; batch < batches; ++batch) overall.batches[batch] += share * own.batches[batch];
  }
  return overall;
}

Speedup speedup_of(const Interval& interval) {
  return {std::exp(-interval.median), std::exp(-interval.high), std::exp(-interval.low)};
}

}  // namespace

AcceptanceRule rule_for_finals() {
  AcceptanceRule rule;
  rule.confidence = 0.996;  // 0.2% each upwards, 0.6% together: the rest is for what batches share at their borders
  rule.looks = {1.0, 2.0, 8.0};
  rule.shares.clear();
  return rule;
}

// Few enough that each holds several stretches of what pairs have in common, the more of them the longer it was
// measured; and enough of them for Student's factor.
unsigned batches_of(double seconds) {
  const double count = std::ceil(std::sqrt(2 * seconds / seconds_in_common));
  return static_cast<unsigned>(std::clamp<double>(count, fewest_batches, most_batches));
}

Estimate estimate(std::span<const PairedSamples> problems, const AcceptanceRule& rule, unsigned look) {
  assert(look < rule.looks.size());
  const bool last = look + 1 == rule.looks.size();
  Estimate result;
  result.decision = last ? Decision::not_faster : Decision::undecided;
  result.per_problem.resize(problems.size());
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  double total_weight = 0;
  for (const PairedSamples& samples : problems) {
    fewest = std::min(fewest, samples.reference.size());
    total_weight += samples.weight;
  }
  if (problems.empty() || fewest < 2 || total_weight <= 0) return result;

  const double tail = error_at(rule, look) / 2;
  const std::size_t batches = std::min<std::size_t>(batches_of(rule.looks[look]), fewest);
  const Medians overall = overall_medians(problems, total_weight, batches);
  bool one_is_slower = false;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    const Interval interval =
        interval_of(medians_of(problems[p], batches), tail, widening(problems[p].reference.size(), rule));
    result.per_problem[p] = speedup_of(interval);
    if (problems[p].reference.size() >= fewest_pairs && interval.low > std::log(slower_margin)) one_is_slower = true;
  }
  const Interval interval = interval_of(overall, tail, widening(fewest, rule));
  result.speedup = speedup_of(interval);
  if (fewest < fewest_pairs) return result;

  // Early, what luck was drawn too few times for must be clear from fewer batches, too.
  const std::size_t drawn = batches_with_draws(problems, batches);
  const auto clear_by_draws = [&] {
    if (last || drawn == batches) return true;
    if (drawn < fewest_drawn) return false;
    return interval_of(overall_medians(problems, total_weight, drawn), tail, widening(fewest, rule)).high <
           std::log(rule.threshold);
  };
  const double threshold = std::log(rule.threshold);
  if (one_is_slower || interval.low > threshold)
    result.decision = Decision::not_faster;
  else if (interval.high < threshold)
    result.decision = clear_by_draws() ? Decision::faster : Decision::undecided;
  else if (!last && hope(overall, rule, look) < rule.futility)
    result.decision = Decision::not_faster;
  else if (last && interval.high >= 0)
    result.decision = Decision::undecided;
  return result;
}

}  // namespace hone::statistics
