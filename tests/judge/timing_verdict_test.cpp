#include "tool/judge/timing_verdict.h"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

Timing timing(statistics::Decision decision, Speedup speedup, Speedup of_second) {
  Timing timing;
  timing.decision = decision;
  timing.measurement.speedup = speedup;
  timing.measurement.problems = {{.label = "n=1", .speedup = {1.2, 1.1, 1.3}}, {.label = "n=2", .speedup = of_second}};
  return timing;
}

TEST(TimingVerdict, ReportsSpeedupOfFasterCandidate) {
  Timing measured = timing(statistics::Decision::faster, {1.5, 1.4, 1.6}, {1.5, 1.4, 1.6});
  measured.remark = "; charged with 1 us";
  const TimingVerdict conclusion = conclude(measured, "; its worst error is 0.8 of the tolerance");
  EXPECT_TRUE(conclusion.right && conclusion.faster);
  EXPECT_EQ(conclusion.stage, Stage::done);
  EXPECT_EQ(conclusion.reason,
            "faster: 1.50x (1.40..1.60); its worst error is 0.8 of the tolerance; charged with 1 us");
}

TEST(TimingVerdict, NamesSlowerProblem) {
  const TimingVerdict conclusion =
      conclude(timing(statistics::Decision::not_faster, {1.1, 1.0, 1.2}, {0.9, 0.85, 0.95}), "");
  EXPECT_TRUE(conclusion.right);
  EXPECT_FALSE(conclusion.faster);
  EXPECT_EQ(conclusion.stage, Stage::time);
  EXPECT_EQ(conclusion.reason, "slower on n=2: 0.90x; overall 1.10x (1.00..1.20)");
}

TEST(TimingVerdict, ReportsEqualSpeedAsNotFaster) {
  EXPECT_EQ(conclude(timing(statistics::Decision::undecided, {1, 0.98, 1.02}, {1, 0.98, 1.02}), "").reason,
            "not faster: 1.00x (0.98..1.02)");
}

TEST(TimingVerdict, BlamesNoisyMachine) {
  Timing measured = timing(statistics::Decision::undecided, {1.1, 0.9, 1.3}, {0.9, 0.85, 0.95});
  measured.too_noisy = true;
  measured.cpu_share = 0.5;
  measured.spread = 0.12;
  EXPECT_EQ(conclude(measured, "").reason,
            "undecided: 1.10x (0.90..1.30); the machine is too noisy (CPU/wall 0.50, spread of pairs 12%)");
}

TEST(TimingVerdict, RejectsMisbehaviorDuringTimingWhateverTheSpeedup) {
  Timing measured = timing(statistics::Decision::faster, {1.5, 1.4, 1.6}, {1.5, 1.4, 1.6});
  measured.misdeed = "y[3] is 7, expected 1";
  const TimingVerdict conclusion = conclude(measured, "");
  EXPECT_FALSE(conclusion.right || conclusion.faster);
  EXPECT_EQ(conclusion.reason, "y[3] is 7, expected 1");
}

}  // namespace
}  // namespace hone::judge
