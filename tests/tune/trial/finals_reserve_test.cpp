#include "tool/tune/trial/finals_reserve.h"

#include <gtest/gtest.h>

#include "tool/model/defaults.h"

namespace hone::tune {
namespace {

constexpr double minute = 60, hour = 3600;

TEST(FinalsReserve, KeepsLittleAsLongAsNothingIsFound) {
  FinalsReserve reserve;
  reserve.judged(20, false);
  EXPECT_DOUBLE_EQ(reserve.kept(100), 15);
  reserve.judged(1, true);
  EXPECT_DOUBLE_EQ(reserve.kept(100), 40);
}

TEST(FinalsReserve, KeepsTimeFromTheStartForWhatIsKnownAlready) {
  EXPECT_GT(FinalsReserve(true).kept(minute), FinalsReserve(false).kept(minute));
}

TEST(FinalsReserve, GrowsWithTheLongestJudgment) {
  FinalsReserve reserve(true);
  const double at_first = reserve.to_measure(hour);
  EXPECT_GE(at_first, finals_seconds);
  reserve.judged(10, false);
  const double longest = reserve.to_measure(hour);
  EXPECT_GE(longest, at_first + 20);
  reserve.judged(2, false);
  EXPECT_DOUBLE_EQ(reserve.to_measure(hour), longest);
}

TEST(FinalsReserve, HoldsMeasurementAndReductionWhereThereIsTime) {
  FinalsReserve reserve(true);
  reserve.judged(2, true);
  EXPECT_GT(reserve.kept(hour), reserve.to_measure(hour) + reserve.to_reduce(hour));
  EXPECT_LE(reserve.to_reduce(hour), minute) << "of an hour no nine minutes go into the reduction";
}

}  // namespace
}  // namespace hone::tune
