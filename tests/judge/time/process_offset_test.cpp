// What two processes differ by, and what that leaves of a candidate's figure.
#include "tool/judge/time/process_offset.h"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

TEST(ProcessOffset, IsSubtractedAndWidensInterval) {
  const OffsetCorrection correction = correct_offset(ProcessOffset{.more = 1e-7, .error = 0}, 1e-5, 1e-5);
  EXPECT_DOUBLE_EQ(correction.seconds, 1e-7);
  EXPECT_NEAR(correction.common_error, 0.0035, 1e-9);
}

TEST(ProcessOffset, IsCappedAtOneFifthOfCall) {
  EXPECT_DOUBLE_EQ(correct_offset(ProcessOffset{.more = 9e-6, .error = 0}, 1e-5, 1e-5).seconds, 2e-6);
  EXPECT_DOUBLE_EQ(correct_offset(ProcessOffset{.more = -9e-6, .error = 0}, 1e-5, 1e-5).seconds, -2e-6);
}

TEST(ProcessOffset, WidensIntervalOnNoisyMachine) {
  const OffsetCorrection correction = correct_offset(ProcessOffset{.more = 0, .error = 2e-6}, 1.5e-5, 1e-5);
  EXPECT_DOUBLE_EQ(correction.common_error, 0.2);
}

// An original of 29 ms whose calls scatter by half a percent, beside a candidate of 24 us.
TEST(ProcessOffset, IsAssumedWhenNoiseOfOriginalHidesIt) {
  const OffsetCorrection correction = correct_offset(ProcessOffset{.more = 2e-5, .error = 1.5e-4}, 29e-3, 24e-6);
  EXPECT_EQ(correction.seconds, 0);
  EXPECT_DOUBLE_EQ(correction.common_error, 0.05);
}

TEST(ProcessOffset, IsUsedAsMeasuredWhenPrecise) {
  const OffsetCorrection correction = correct_offset(ProcessOffset{.more = 2e-8, .error = 1e-8}, 1e-3, 1e-5);
  EXPECT_DOUBLE_EQ(correction.seconds, 2e-8);
  EXPECT_LT(correction.common_error, 0.002);
}

TEST(ProcessOffset, IsAssumedWhenNotMeasured) {
  EXPECT_DOUBLE_EQ(correct_offset(std::nullopt, 1e-5, 1e-5).common_error, 0.05);
}

}  // namespace
}  // namespace hone::judge
