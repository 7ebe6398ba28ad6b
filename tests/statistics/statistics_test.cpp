#include "tool/statistics/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "tests/benchmarks/synthetic_machine.h"
#include "tool/statistics/student_t.h"

namespace hone::benchmarks {

void PrintTo(const Trouble& trouble, std::ostream* out) {
  *out << trouble.name;
}

}  // namespace hone::benchmarks

namespace hone::statistics {
namespace {

using benchmarks::Machine;
using benchmarks::Trouble;

// Candidate/original is `ratio` in truth.
PairedSamples pairs_of(double ratio, std::size_t pairs, std::uint64_t seed, Trouble trouble = {.noise = 0.02}) {
  PairedSamples samples;
  Machine(trouble, ratio, seed).measure(samples, pairs);
  if (trouble.stay_bias == 0) samples.draws = 0;  // there is no luck to share
  return samples;
}

Estimate estimate_of(const PairedSamples& samples, unsigned look, const AcceptanceRule& rule = {}) {
  return estimate(std::span(&samples, 1), rule, look);
}

// The counts are those of fixed seeds, the limits what a rule may come to that keeps its level.
class AcceptanceRuleOnMachine : public testing::TestWithParam<Trouble> {
 protected:
  static unsigned accepted(double gain, unsigned evaluations) {
    unsigned count = 0;
    for (unsigned i = 0; i < evaluations; ++i)
      count += benchmarks::judge(GetParam(), 1 - gain, {}, derive(1, i)).faster();
    return count;
  }

  // At one look alone, on gains that just are not enough.
  static unsigned accepted_at(unsigned look, unsigned evaluations) {
    const AcceptanceRule rule;
    const auto pairs = static_cast<std::size_t>(std::llround(rule.looks[look] / (2 * GetParam().side)));
    unsigned count = 0;
    for (unsigned i = 0; i < evaluations; ++i)
      count +=
          estimate_of(pairs_of(rule.threshold, pairs, derive(2, i), GetParam()), look).decision == Decision::faster;
    return count;
  }
};

// Where a fifth of the original's samples alone take twice as long, the candidate is the faster one in truth.
std::vector<Trouble> troubles() {
  std::vector<Trouble> list = benchmarks::troubles();
  std::erase_if(list, [](const Trouble& trouble) { return trouble.reference_outliers > 0; });
  return list;
}

INSTANTIATE_TEST_SUITE_P(Machines, AcceptanceRuleOnMachine, testing::ValuesIn(troubles()), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

TEST_P(AcceptanceRuleOnMachine, DoesNotAcceptIdenticalCode) {
  EXPECT_EQ(accepted(0, 100), 0u);
}

TEST_P(AcceptanceRuleOnMachine, KeepsItsLevelForInsufficientGain) {
  EXPECT_LE(accepted_at(0, 3000), 6u);  // 0.05% of them are allowed: 1.5
  EXPECT_LE(accepted_at(1, 1000), 6u);  // 0.15%: 1.5
}

TEST_P(AcceptanceRuleOnMachine, FindsGainOfTenPercent) {
  EXPECT_EQ(accepted(0.1, 20), 20u);
}

TEST_P(AcceptanceRuleOnMachine, FindsGainOfFivePercent) {
  EXPECT_GE(accepted(0.05, 15), 14u);
}

TEST(Estimate, RefusesMuchSlowerCandidateAtFirstLook) {
  EXPECT_EQ(estimate_of(pairs_of(1.3, 50, 3), 0).decision, Decision::not_faster);
}

TEST(Estimate, AcceptsBigGainFromFewPairs) {
  EXPECT_EQ(estimate_of(pairs_of(0.1, 6, 3), 1).decision, Decision::faster);
  EXPECT_NE(estimate_of(pairs_of(0.93, 6, 3), 1).decision, Decision::faster);
}

// Pages that were drawn six times only: enough for four batches, where the half second has ten.
TEST(Estimate, AcceptsBigGainEarlyFromFewDraws) {
  PairedSamples plain = pairs_of(0.2, 200, 3), small = pairs_of(0.964, 200, 3);
  plain.draws = small.draws = 6;
  EXPECT_EQ(estimate_of(plain, 1).decision, Decision::faster);
  EXPECT_EQ(estimate_of(small, 1).decision, Decision::undecided);
  small.draws = 0;
  EXPECT_EQ(estimate_of(small, 1).decision, Decision::faster) << "else it is undecided for another reason";
  plain.draws = 4;  // two batches: too few for anything
  EXPECT_EQ(estimate_of(plain, 1).decision, Decision::undecided);
}

TEST(Estimate, AcceptsNothingFromFourPairs) {
  const PairedSamples four = pairs_of(0.1, 4, 3);
  EXPECT_EQ(estimate_of(four, 1).decision, Decision::undecided);
  EXPECT_EQ(estimate_of(four, 3).decision, Decision::not_faster);
}

TEST(Estimate, StaysFiniteForTwoExtremePairs) {
  const Estimate result = estimate_of({1, {1, 1}, {1e-9, 1e9}}, 0);
  EXPECT_TRUE(std::isfinite(result.speedup.high));
  EXPECT_GT(result.speedup.low, 0);
}

TEST(Estimate, RefusesCandidateThatIsSlowerOnOneProblem) {
  const PairedSamples problems[] = {pairs_of(0.5, 200, 3), pairs_of(1.2, 200, 4)};
  const Estimate result = estimate(problems, {}, 1);
  EXPECT_LT(result.per_problem[1].high, 1);
  EXPECT_EQ(result.decision, Decision::not_faster);
}

TEST(Estimate, WeighsProblems) {
  PairedSamples problems[] = {pairs_of(0.5, 200, 3), pairs_of(1, 200, 4)};
  problems[0].weight = 3;
  const Estimate result = estimate(problems, {}, 1);
  EXPECT_NEAR(result.speedup.median, std::pow(2, 0.75), 0.03);
  EXPECT_LE(result.speedup.low, result.speedup.median);
  EXPECT_GE(result.speedup.high, result.speedup.median);
}

TEST(Estimate, IsUndecidedIfIntervalAllowsGainAndNone) {
  EXPECT_EQ(estimate_of(pairs_of(0.985, 300, 3, {.noise = 0.1}), 3).decision, Decision::undecided);
  EXPECT_EQ(estimate_of(pairs_of(0.99, 20000, 3), 3).decision, Decision::not_faster);
}

// Two hundred pairs that go up and down together are as few as there are ups and downs.
TEST(Estimate, WidensIntervalForCorrelatedPairs) {
  const Estimate alone = estimate_of(pairs_of(0.97, 1250, 5, {.noise = 0.03}), 1);
  const Estimate common = estimate_of(pairs_of(0.97, 1250, 5, {.noise = 0, .stay_bias = 0.03 / std::sqrt(2)}), 1);
  const auto width = [](const Estimate& result) { return std::log(result.speedup.high / result.speedup.low); };
  EXPECT_GT(width(common), 2 * width(alone));
}

TEST(Estimate, WidensIntervalByCommonError) {
  PairedSamples samples = pairs_of(0.95, 2000, 8);
  EXPECT_EQ(estimate_of(samples, 3).decision, Decision::faster);
  samples.common_error = 0.02;
  const Estimate estimate = estimate_of(samples, 3);
  EXPECT_NE(estimate.decision, Decision::faster);
  EXPECT_LT(estimate.speedup.low, 1 / 0.95 * 0.95);
  EXPECT_GT(estimate.speedup.high, 1 / 0.95 * 1.05);
}

TEST(Estimate, SurvivesClockThatStandsStill) {
  const PairedSamples zeros{1, std::vector<double>(50, 0.0), std::vector<double>(50, 0.0)};
  const Estimate result = estimate_of(zeros, 0);
  EXPECT_DOUBLE_EQ(result.speedup.median, 1);
  EXPECT_NE(result.decision, Decision::faster);
}

// The figures of printed tables.
TEST(Student, MatchesTabulatedQuantiles) {
  EXPECT_NEAR(student_quantile_above(0.025, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_quantile_above(0.025, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_quantile_above(0.025, 3), 3.182, 5e-4);
  EXPECT_NEAR(student_quantile_above(0.0005, 4), 8.610, 5e-4);
  EXPECT_NEAR(student_quantile_above(0.0005, 9), 4.781, 5e-4);
  EXPECT_NEAR(student_quantile_above(0.005, 40), 2.704, 5e-4);
}

TEST(Student, InvertsQuantilesToProbabilities) {
  for (const unsigned freedom : {1u, 2u, 3u, 4u, 13u, 39u})
    for (const double tail : {1e-7, 1e-3, 0.3, 0.5, 0.9})
      EXPECT_NEAR(1 - student_probability(student_quantile_above(tail, freedom), freedom), tail, 1e-9 + 1e-6 * tail);
}

}  // namespace
}  // namespace hone::statistics
