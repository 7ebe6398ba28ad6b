#include "tool/tune/trial/stop_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::tune {
namespace {

using testing::Eq;
using testing::Optional;

Verdict timed(double speedup, std::vector<ProblemMeasurement> problems = {}) {
  Verdict verdict;
  verdict.stage = Stage::done;
  verdict.right = true;
  verdict.faster = speedup > 1;
  verdict.measurement.speedup = {speedup, speedup, speedup};
  verdict.measurement.problems = std::move(problems);
  return verdict;
}

ProblemMeasurement takes(const std::string& label, double seconds, double weight = 1) {
  return {.label = label, .weight = weight, .candidate_seconds = seconds};
}

TEST(StopRule, EndsNearTheLimit) {
  StopRule rule({.until = 0.9}, {{"a", 8e-6}});
  rule.told(timed(2, {takes("a", 10e-6)}));
  EXPECT_DOUBLE_EQ(rule.share(), 0.8);
  EXPECT_EQ(rule.reason(), std::nullopt);
  rule.told(timed(2.4, {takes("a", 8.6e-6)}));
  EXPECT_THAT(rule.reason(), Optional(Eq("the best is at 93% of the limit")));
}

TEST(StopRule, WeighsProblemsAsTheSpeedupDoes) {
  StopRule rule({.until = 0.9}, {{"a", 1e-6}, {"b", 1e-6}});
  rule.told(timed(2, {takes("a", 1e-6, 1), takes("b", 4e-6, 1)}));
  EXPECT_DOUBLE_EQ(rule.share(), 0.5);
  rule.told(timed(3, {takes("a", 1e-6, 3), takes("b", 16e-6, 1)}));
  EXPECT_DOUBLE_EQ(rule.share(), 0.5);
}

TEST(StopRule, KnowsNoLimitWhereOneProblemHasNone) {
  StopRule rule({.until = 0.5}, {{"a", 1e-6}, {"b", 0}});
  rule.told(timed(9, {takes("a", 1e-6), takes("b", 1e-6)}));
  EXPECT_FALSE(rule.knows_limit());
  EXPECT_EQ(rule.reason(), std::nullopt);
}

TEST(StopRule, LooksAtTheFastestRightTrial) {
  StopRule rule({.until = 0.9}, {{"a", 1e-6}});
  Verdict wrong = timed(9, {takes("a", 1e-6)});
  wrong.right = wrong.faster = false;
  rule.told(wrong);
  EXPECT_EQ(rule.reason(), std::nullopt);
  rule.told(timed(3, {takes("a", 2e-6)}));
  rule.told(timed(2, {takes("a", 1e-6)}));
  EXPECT_DOUBLE_EQ(rule.share(), 0.5) << "a busy machine times the slower one as fast";
}

TEST(StopRule, EndsWhereAFurtherTrialBringsLittle) {
  StopRule rule({.least_gain = 0.02}, {});
  rule.told(timed(40));  // the first says nothing of those to come
  EXPECT_EQ(rule.reason(), std::nullopt);
  rule.told(timed(40));
  EXPECT_EQ(rule.reason(), std::nullopt) << "0.03 each, by two recorded trials and none of this search";
  rule.told(timed(39));
  EXPECT_THAT(rule.reason(), Optional(Eq("a further trial was expected to gain less than 2%")));
}

TEST(StopRule, GoesOnWhileTrialsGain) {
  StopRule rule({.least_gain = 0.02}, {});
  for (double speedup = 2; speedup < 6; speedup *= 1.03) {
    rule.told(timed(speedup));
    EXPECT_EQ(rule.reason(), std::nullopt) << speedup;
  }
}

TEST(StopRule, CountsWhatWasKnownBeforeAsNoTrial) {
  StopRule rule({.until = 0.9, .least_gain = 0.02}, {{"a", 1e-6}});
  rule.start(timed(4, {takes("a", 2e-6)}));
  EXPECT_EQ(rule.reason(), std::nullopt);
  rule.told(timed(3));
  rule.told(timed(3));
  EXPECT_EQ(rule.reason(), std::nullopt);
  EXPECT_DOUBLE_EQ(rule.expected_gain(), 0.02);
}

}  // namespace
}  // namespace hone::tune
