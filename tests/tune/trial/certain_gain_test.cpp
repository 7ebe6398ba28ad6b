// Of the gains that nobody could measure afresh, the best that leaves no doubt is locked.
#include <gtest/gtest.h>

#include "tool/tune/trial/confirmation.h"

namespace hone::tune {
namespace {

// A candidate whose times lie between `low` and `high` of the original's.
Accepted timed(double low, double high) {
  Accepted accepted;
  accepted.verdict.measurement.seconds = 0.5;
  ProblemMeasurement problem;
  for (int i = 0; i < 200; ++i) {
    problem.reference_samples.push_back(1e-3);
    problem.candidate_samples.push_back(1e-3 * (i / 50 % 2 ? low : high));
  }
  accepted.verdict.measurement.problems.push_back(problem);
  return accepted;
}

TEST(CertainGain, IsTheBestThatLeavesNoDoubt) {
  const Accepted noisy = timed(0.3, 1.2), clear = timed(0.79, 0.81), clearer = timed(0.85, 0.86);
  EXPECT_EQ(first_certain({clear, noisy}, 0, 20), 0u);
  EXPECT_EQ(first_certain({noisy, clear, clearer}, 0, 20), 1u);
  EXPECT_EQ(first_certain({noisy, clear, clearer}, 2, 20), 2u);
  EXPECT_EQ(first_certain({noisy, noisy}, 0, 20), 2u);
  EXPECT_EQ(first_certain({}, 0, 0), 0u);
}

}  // namespace
}  // namespace hone::tune
