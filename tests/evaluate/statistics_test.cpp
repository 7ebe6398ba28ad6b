#include "tool/evaluate/statistics.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "tool/evaluate/random.h"

namespace hone::evaluate {
namespace {

// How a machine times: slow drift common to both sides, bursts that hit single samples, autocorrelated noise, a
// quantised clock. `ratio` is candidate/reference in truth.
struct Machine {
  double ratio = 1;
  double noise = 0.02;
  double drift = 0.2;
  double bursts = 0.05;      // probability
  double correlation = 0.5;  // of successive noise
  double quantum = 0;        // seconds

  PairedSamples window(std::size_t pairs, std::uint64_t seed) const {
    Random random(derive(seed, 17));
    PairedSamples samples;
    double carried = 0;
    const double phase = random.uniform() * 6.28;
    const auto one = [&](double seconds, double at) {
      carried = correlation * carried + std::sqrt(1 - correlation * correlation) * random.normal();
      double value = seconds * (1 + drift * std::sin(phase + 6.28 * at)) * (1 + noise * carried);
      if (random.uniform() < bursts) value *= 1 + random.uniform();
      return quantum > 0 ? std::round(value / quantum) * quantum : value;
    };
    for (std::size_t i = 0; i < pairs; ++i) {
      const double at = static_cast<double>(i) / static_cast<double>(pairs);
      const bool candidate_first = random.bits() & 1;
      double candidate = candidate_first ? one(1e-3 * ratio, at) : 0;
      const double reference = one(1e-3, at);
      if (!candidate_first) candidate = one(1e-3 * ratio, at);
      samples.reference.push_back(reference);
      samples.candidate.push_back(candidate);
    }
    return samples;
  }
};

// The whole rule on one stream: the looks see ever more of it.
Decision decide(const Machine& machine, std::uint64_t seed, AcceptanceRule rule = {}) {
  const PairedSamples all = machine.window(2000, seed);
  for (unsigned look = 0; look < rule.looks.size(); ++look) {
    const auto seen = static_cast<std::ptrdiff_t>(rule.looks[look] / rule.looks.back() * 2000);
    PairedSamples part{1,
                       {all.reference.begin(), all.reference.begin() + seen},
                       {all.candidate.begin(), all.candidate.begin() + seen}};
    const Estimate result = estimate(std::span(&part, 1), rule, look, seed);
    if (result.decision != Decision::undecided) return result.decision;
  }
  return Decision::not_faster;
}

unsigned accepted(const Machine& machine, unsigned windows) {
  unsigned count = 0;
  for (unsigned i = 0; i < windows; ++i) count += decide(machine, 1000 + i) == Decision::faster;
  return count;
}

TEST(Statistics, AcceptsIdenticalCodeAtMostAsOftenAsItsLevelSays) {
  EXPECT_LE(accepted({}, 150), 2u);
  EXPECT_LE(accepted({.noise = 0.05, .bursts = 0.2}, 150), 2u);
  EXPECT_LE(accepted({.noise = 0.05, .correlation = 0.9}, 150), 2u);
  EXPECT_LE(accepted({.noise = 0.03, .quantum = 5e-5}, 150), 2u);
}

TEST(Statistics, AcceptsAGainThatIsNoneOnlyAtItsLevel) {
  // At the very threshold the error is what the rule promises, not zero.
  EXPECT_LE(accepted({.ratio = 0.98}, 200), 5u);
}

TEST(Statistics, FindsAGainOfFivePercent) {
  EXPECT_GE(accepted({.ratio = 0.95}, 100), 95u);
}

TEST(Statistics, FindsAGainOfFourPercentMostly) {
  EXPECT_GE(accepted({.ratio = 0.96}, 100), 60u);
}

TEST(Statistics, DropsTheHopelessAtTheFirstLook) {
  const PairedSamples slow = Machine{.ratio = 1.3}.window(50, 3);
  EXPECT_EQ(estimate(std::span(&slow, 1), {}, 0, 1).decision, Decision::not_faster);
}

TEST(Statistics, AcceptsABigGainFromFewPairs) {
  const PairedSamples few = Machine{.ratio = 0.1, .bursts = 0}.window(6, 3);
  EXPECT_EQ(estimate(std::span(&few, 1), {}, 1, 1).decision, Decision::faster);
  const PairedSamples small = Machine{.ratio = 0.93, .bursts = 0}.window(6, 3);
  EXPECT_NE(estimate(std::span(&small, 1), {}, 1, 1).decision, Decision::faster);
}

TEST(Statistics, DecidesNothingFromFourPairs) {
  const PairedSamples four = Machine{.ratio = 0.1}.window(4, 3);
  EXPECT_EQ(estimate(std::span(&four, 1), {}, 1, 1).decision, Decision::undecided);
  EXPECT_EQ(estimate(std::span(&four, 1), {}, 3, 1).decision, Decision::not_faster);
}

TEST(Statistics, RefusesWhatIsSlowerOnOneProblem) {
  const PairedSamples problems[] = {Machine{.ratio = 0.5}.window(200, 3), Machine{.ratio = 1.2}.window(200, 4)};
  const Estimate result = estimate(problems, {}, 1, 1);
  EXPECT_LT(result.per_problem[1].high, 1);
  EXPECT_EQ(result.decision, Decision::not_faster);
}

TEST(Statistics, WeighsProblems) {
  PairedSamples problems[] = {Machine{.ratio = 0.5, .bursts = 0}.window(200, 3),
                              Machine{.ratio = 1, .bursts = 0}.window(200, 4)};
  problems[0].weight = 3;
  const Estimate result = estimate(problems, {}, 1, 1);
  EXPECT_NEAR(result.speedup.median, std::pow(2, 0.75), 0.03);
  EXPECT_LE(result.speedup.low, result.speedup.median);
  EXPECT_GE(result.speedup.high, result.speedup.median);
}

TEST(Statistics, SurvivesAClockThatStandsStill) {
  const PairedSamples zeros{1, std::vector<double>(50, 0.0), std::vector<double>(50, 0.0)};
  const Estimate result = estimate(std::span(&zeros, 1), {}, 0, 1);
  EXPECT_DOUBLE_EQ(result.speedup.median, 1);
  EXPECT_NE(result.decision, Decision::faster);
}

TEST(Statistics, GivesTheSameAnswerForTheSameSeed) {
  const PairedSamples samples = Machine{.ratio = 0.97}.window(300, 9);
  const Estimate one = estimate(std::span(&samples, 1), {}, 1, 7), other = estimate(std::span(&samples, 1), {}, 1, 7);
  EXPECT_EQ(one.speedup.low, other.speedup.low);
  EXPECT_EQ(one.speedup.high, other.speedup.high);
}

}  // namespace
}  // namespace hone::evaluate
