#include "tool/evaluate/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "tool/evaluate/random.h"

namespace hone::evaluate {
namespace {

constexpr double slower_margin = 1.02;
constexpr std::size_t fewest_pairs = 5;

struct Interval {
  double median = 0, low = 0, high = 0;  // of log(candidate/reference)
};

struct LogRatios {
  std::vector<double> sorted;
  double median = 0;
  double effective = 0;  // independent pairs that these are worth
};

double quantile(const std::vector<double>& sorted, double p) {
  const double position = p * static_cast<double>(sorted.size()) - 0.5;
  if (position <= 0) return sorted.front();
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

// n / (1 + 2 sum rho_k) of the signs about the median, over the leading lags that stand out of the noise: what decides
// about a median is on which side of it the samples fall, and neighbours in time fall on the same one.
double effective_count(const std::vector<double>& ratios, double median) {
  const std::size_t n = ratios.size();
  std::vector<signed char> side(n);
  double power = 0;
  for (std::size_t i = 0; i < n; ++i) {
    side[i] = static_cast<signed char>((ratios[i] > median) - (ratios[i] < median));
    power += side[i] * side[i];
  }
  if (n < 16 || power == 0) return static_cast<double>(n);
  const double noise = 1.5 / std::sqrt(static_cast<double>(n));
  double correlation_time = 1;
  for (std::size_t lag = 1; lag <= std::min<std::size_t>(n / 4, 100); ++lag) {
    long sum = 0;
    for (std::size_t i = 0; i + lag < n; ++i) sum += side[i] * side[i + lag];
    const double rho = static_cast<double>(sum) / power;
    if (rho < noise) break;
    correlation_time += 2 * rho;
  }
  return std::max(static_cast<double>(n) / correlation_time, std::min<double>(static_cast<double>(n), 4));
}

LogRatios log_ratios(const PairedSamples& samples) {
  assert(samples.reference.size() == samples.candidate.size());
  constexpr double tick = 1e-10;  // a quantised clock may read 0
  LogRatios result;
  result.sorted.reserve(samples.reference.size());
  for (std::size_t i = 0; i < samples.reference.size(); ++i)
    result.sorted.push_back(std::log(std::max(samples.candidate[i], tick) / std::max(samples.reference[i], tick)));
  std::vector<double> in_order = result.sorted;
  std::sort(result.sorted.begin(), result.sorted.end());
  if (result.sorted.empty()) return result;
  result.median = quantile(result.sorted, 0.5);
  result.effective = effective_count(in_order, result.median);
  return result;
}

// Marsaglia and Tsang 2000, shape >= 1.
double gamma_variate(Random& random, double shape) {
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = random.normal();
    const double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
    if (v <= 0) continue;
    if (std::log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

// The median of a resample of n is the sample's quantile at the median of n uniform variates, which is Beta((n+1)/2,
// (n+1)/2): one draw in place of n, equal in law to resampling (but for interpolation between neighbours). From a
// hundred pairs on that is as good as normal, to four standard deviations, and much quicker to draw.
double resampled_median(const LogRatios& ratios, Random& random) {
  const double shape = (ratios.effective + 1) / 2;
  if (shape > 50) return quantile(ratios.sorted, 0.5 + random.normal() / (2 * std::sqrt(2 * shape + 1)));
  const double a = gamma_variate(random, shape), b = gamma_variate(random, shape);
  return quantile(ratios.sorted, a / (a + b));
}

Interval percentile_interval(std::vector<double>& medians, double centre, double tail) {
  const auto rank = static_cast<std::ptrdiff_t>(tail * static_cast<double>(medians.size()));
  std::nth_element(medians.begin(), medians.begin() + rank, medians.end());
  const double low = medians[static_cast<std::size_t>(rank)];
  const auto upper = medians.end() - 1 - rank;
  std::nth_element(medians.begin(), upper, medians.end());
  return {centre, std::min(low, centre), std::max(*upper, centre)};
}

double error_at(const AcceptanceRule& rule, unsigned look) {
  const double level = 1 - rule.confidence;
  if (rule.shares.size() != rule.looks.size())
    return level / static_cast<double>(std::max<std::size_t>(rule.looks.size(), 1));
  double total = 0;
  for (double share : rule.shares) total += share;
  return level * rule.shares[look] / total;
}

// With fewer pairs than the rule wants an interval of order statistics is too narrow to trust: widen it.
double widening(std::size_t pairs, const AcceptanceRule& rule) {
  if (pairs >= rule.minimum_pairs || pairs == 0) return 0;
  return std::log1p(0.1 * (static_cast<double>(rule.minimum_pairs) / static_cast<double>(pairs) - 1));
}

// Of those futures of the measurement that the resampled medians stand for, the share that ends accepted at the last
// look: the median moves on by the part of its error that is still to be measured away, and the interval has shrunk.
double hope(std::vector<double>& medians, double centre, double shrinkage, double last_tail, double threshold) {
  const auto rank = static_cast<std::ptrdiff_t>((1 - last_tail) * static_cast<double>(medians.size() - 1));
  std::nth_element(medians.begin(), medians.begin() + rank, medians.end());
  const double last_width = std::max(0.0, medians[static_cast<std::size_t>(rank)] - centre) * shrinkage;
  const double still_open = std::sqrt(1 - shrinkage * shrinkage);
  const auto accepted = std::ranges::count_if(
      medians, [&](double median) { return centre + (median - centre) * still_open + last_width < threshold; });
  return static_cast<double>(accepted) / static_cast<double>(medians.size());
}

Speedup speedup_of(const Interval& interval) {
  return {std::exp(-interval.median), std::exp(-interval.high), std::exp(-interval.low)};
}

}  // namespace

Estimate estimate(std::span<const PairedSamples> problems, const AcceptanceRule& rule, unsigned look,
                  std::uint64_t seed) {
  assert(look < rule.looks.size());
  const bool last = look + 1 == rule.looks.size();
  Estimate result;
  result.decision = last ? Decision::not_faster : Decision::undecided;
  std::vector<LogRatios> ratios;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  double total_weight = 0;
  for (const PairedSamples& samples : problems) {
    ratios.push_back(log_ratios(samples));
    fewest = std::min(fewest, samples.reference.size());
    total_weight += samples.weight;
  }
  result.per_problem.resize(problems.size());
  if (problems.empty() || fewest < 2 || total_weight <= 0) return result;

  const double tail = error_at(rule, look) / 2;
  const auto draws = std::clamp<std::size_t>(static_cast<std::size_t>(10 / tail), rule.resamples, 200'000);
  std::vector<double> overall(draws, 0.0), medians(draws);
  double centre = 0;
  bool one_is_slower = false;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    Random random(derive(seed, p));
    const double share = problems[p].weight / total_weight;
    for (std::size_t i = 0; i < draws; ++i) {
      medians[i] = resampled_median(ratios[p], random);
      overall[i] += share * medians[i];
    }
    centre += share * ratios[p].median;
    Interval interval = percentile_interval(medians, ratios[p].median, tail);
    const double slack = widening(problems[p].reference.size(), rule);
    interval.low -= slack;
    interval.high += slack;
    result.per_problem[p] = speedup_of(interval);
    if (problems[p].reference.size() >= fewest_pairs && interval.low > std::log(slower_margin)) one_is_slower = true;
  }
  Interval interval = percentile_interval(overall, centre, tail);
  interval.low -= widening(fewest, rule);
  interval.high += widening(fewest, rule);
  result.speedup = speedup_of(interval);
  if (fewest < fewest_pairs) return result;

  const double threshold = std::log(rule.threshold);
  if (one_is_slower || interval.low > threshold)
    result.decision = Decision::not_faster;
  else if (interval.high < threshold)
    result.decision = Decision::faster;
  else if (!last && hope(overall, centre, std::sqrt(rule.looks[look] / rule.looks.back()),
                         error_at(rule, static_cast<unsigned>(rule.looks.size()) - 1) / 2, threshold) < rule.futility)
    result.decision = Decision::not_faster;
  else if (last && interval.high >= 0)
    result.decision = Decision::undecided;
  return result;
}

}  // namespace hone::evaluate
