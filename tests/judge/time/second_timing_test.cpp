#include "tool/judge/time/second_timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::judge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Timing timing(statistics::Decision decision, double speedup, const std::string& late_work = "") {
  Timing timing;
  timing.decision = decision;
  timing.measurement.speedup = {speedup, speedup - 0.1, speedup + 0.1};
  timing.measurement.seconds = 0.5;
  timing.misdeed = late_work;
  timing.late_work = !late_work.empty();
  return timing;
}

const std::string late = "works while it is not timed: 2 s beside 1 s in its calls";

TEST(SecondTiming, IsNeededForFasterOrSuspectedCandidates) {
  EXPECT_TRUE(needs_second_timing(timing(statistics::Decision::faster, 2)));
  EXPECT_TRUE(needs_second_timing(timing(statistics::Decision::faster, 2, late)));
  EXPECT_TRUE(needs_second_timing(timing(statistics::Decision::undecided, 1, late)));
  EXPECT_FALSE(needs_second_timing(timing(statistics::Decision::not_faster, 1)));
}

TEST(SecondTiming, IsSkippedForCandidatesWrongDuringTiming) {
  Timing wrong = timing(statistics::Decision::faster, 2);
  wrong.misdeed = "right at first, then wrong while timed: y[3] is 7, expected 1";
  EXPECT_FALSE(needs_second_timing(wrong));
}

TEST(SecondTiming, IsShorterInTrialThanInHeldOutJudgment) {
  bundle::Plan plan;
  EXPECT_THAT(rule_of_second_timing(timing(statistics::Decision::faster, 2), plan).looks, ElementsAre(0.2));
  plan.depth = bundle::Depth::held_out;
  EXPECT_THAT(rule_of_second_timing(timing(statistics::Decision::faster, 2), plan).looks, ElementsAre(0.5));
}

TEST(SecondTiming, UsesFullRuleToConfirmGain) {
  const bundle::Plan plan;
  EXPECT_EQ(rule_of_second_timing(timing(statistics::Decision::faster, 2, late), plan).looks, plan.rule.looks);
  EXPECT_EQ(rule_of_second_timing(timing(statistics::Decision::not_faster, 1, late), plan).looks.size(), 1u);
}

TEST(SecondTiming, RejectsWorkOutsideCalls) {
  const Timing both = weigh(timing(statistics::Decision::faster, 2), timing(statistics::Decision::faster, 2, late));
  EXPECT_EQ(both.misdeed, late + ", with threads that sleep where they wait");
}

TEST(SecondTiming, ClearsCandidateThatOnlyWaited) {
  const Timing both =
      weigh(timing(statistics::Decision::not_faster, 1, late), timing(statistics::Decision::undecided, 1.3));
  EXPECT_EQ(both.misdeed, "");
  EXPECT_EQ(both.decision, statistics::Decision::not_faster);
  EXPECT_DOUBLE_EQ(both.measurement.speedup.median, 1);
}

TEST(SecondTiming, KeepsSpeedupOfUndisturbedFirstTiming) {
  const Timing both = weigh(timing(statistics::Decision::faster, 2), timing(statistics::Decision::not_faster, 0.9));
  EXPECT_EQ(both.decision, statistics::Decision::faster);
  EXPECT_DOUBLE_EQ(both.measurement.speedup.median, 2);
}

TEST(SecondTiming, ConfirmsOrRevokesDisturbedGain) {
  EXPECT_EQ(weigh(timing(statistics::Decision::faster, 2, late), timing(statistics::Decision::undecided, 1)).decision,
            statistics::Decision::undecided);
  const Timing lower = weigh(timing(statistics::Decision::faster, 2, late), timing(statistics::Decision::faster, 1.5));
  EXPECT_EQ(lower.decision, statistics::Decision::faster);
  EXPECT_DOUBLE_EQ(lower.measurement.speedup.median, 1.5);
  EXPECT_THAT(lower.remark, HasSubstr("with threads that sleep where they wait"));
  const Timing higher = weigh(timing(statistics::Decision::faster, 2, late), timing(statistics::Decision::faster, 2.5));
  EXPECT_EQ(higher.decision, statistics::Decision::faster);
  EXPECT_EQ(higher.misdeed, "");
  EXPECT_DOUBLE_EQ(higher.measurement.speedup.median, 2);
}

}  // namespace
}  // namespace hone::judge
