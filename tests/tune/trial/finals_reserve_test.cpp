#include "tool/tune/trial/finals_reserve.h"

#include <gtest/gtest.h>

#include "tool/model/defaults.h"

namespace hone::tune {
namespace {

constexpr double minute = 60, hour = 3600;

const Verdict slower;

// Twice as fast; on its second problem at least so many times.
Verdict faster(double at_least = 1.5) {
  Verdict verdict;
  verdict.right = verdict.faster = true;
  verdict.measurement.speedup = {2, 1.8, 2.2};
  verdict.measurement.problems = {{.label = "n=9", .speedup = {3, 2.8, 3.2}},
                                  {.label = "n=3", .speedup = {1.6, at_least, 1.7}}};
  return verdict;
}

TEST(FinalsReserve, KeepsLittleAsLongAsNothingIsFound) {
  FinalsReserve reserve;
  reserve.judged(20, slower);
  EXPECT_DOUBLE_EQ(reserve.kept(100), 15);
  reserve.judged(1, faster());
  EXPECT_DOUBLE_EQ(reserve.kept(100), 40);
}

TEST(FinalsReserve, KeepsTimeFromTheStartForWhatIsKnownAlready) {
  EXPECT_GT(FinalsReserve(true).kept(minute), FinalsReserve(false).kept(minute));
}

TEST(FinalsReserve, GrowsWithTheLongestJudgment) {
  FinalsReserve reserve(true);
  const double at_first = reserve.to_measure(hour);
  EXPECT_GE(at_first, finals_seconds);
  reserve.judged(10, slower);
  const double longest = reserve.to_measure(hour);
  EXPECT_GE(longest, at_first + 20);
  reserve.judged(2, slower);
  EXPECT_DOUBLE_EQ(reserve.to_measure(hour), longest);
}

TEST(FinalsReserve, HoldsMeasurementAndReductionWhereThereIsTime) {
  FinalsReserve reserve(true);
  reserve.judged(2, faster());
  EXPECT_GT(reserve.kept(hour), reserve.to_measure(hour) + reserve.to_reduce(hour));
  EXPECT_LE(reserve.to_reduce(hour), minute) << "of an hour no nine minutes go into the reduction";
}

TEST(FinalsReserve, HoldsSecondMeasurementWhileTheBestIsInDoubt) {
  FinalsReserve reserve;
  reserve.judged(2, faster());
  const double kept = reserve.kept(hour);
  EXPECT_DOUBLE_EQ(reserve.to_measure_again(hour), 0);
  reserve.judged(2, faster(0.97));
  EXPECT_DOUBLE_EQ(reserve.to_measure_again(hour), reserve.to_measure(hour));
  EXPECT_DOUBLE_EQ(reserve.kept(hour), kept + reserve.to_measure(hour));
  reserve.judged(2, slower);
  EXPECT_DOUBLE_EQ(reserve.kept(hour), kept + reserve.to_measure(hour)) << "the best is what it was";
  Verdict clear = faster();
  clear.measurement.speedup.median = 2.5;
  reserve.judged(2, clear);
  EXPECT_DOUBLE_EQ(reserve.kept(hour), kept);
}

TEST(FinalsReserve, HoldsTimeForAChoiceThatPromisesMore) {
  Verdict mixed;
  mixed.right = true;
  mixed.measurement.problems = {{.label = "n=9", .speedup = {6, 5, 7}}, {.label = "n=3", .speedup = {0.4, 0.3, 0.5}}};
  FinalsReserve reserve;
  reserve.judged(10, mixed);
  EXPECT_GE(reserve.to_choose(minute), 10) << "the root of 6 is promised, and nothing is found";
  EXPECT_GE(reserve.kept(minute), reserve.to_choose(minute) + reserve.to_measure(minute));
  reserve.judged(10, faster());
  EXPECT_GT(reserve.to_choose(minute), 0);
  Verdict chosen = faster();
  chosen.measurement.speedup.median = 2.4;
  reserve.judged(10, chosen);
  EXPECT_DOUBLE_EQ(reserve.to_choose(minute), 0) << "found by the search itself";
}

}  // namespace
}  // namespace hone::tune
