// Which processors time: others than those that verify, and each for one timing.
#include "tool/judge/machine/processors.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::judge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<int> first(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(Processors, ReserveLastProcessorForTiming) {
  const Processors two = divide({3, 7}, 1);
  EXPECT_THAT(two.working, ElementsAre(3));
  EXPECT_THAT(two.timing, ElementsAre(7));
  EXPECT_THAT(two.all, ElementsAre(3, 7));
}

TEST(Processors, ShareTheOnlyProcessorForWorkAndTiming) {
  EXPECT_THAT(divide({5}, 4).working, ElementsAre(5));
  EXPECT_THAT(divide({5}, 4).timing, ElementsAre(5));
  EXPECT_THAT(divide({}, 1).timing, IsEmpty());
  EXPECT_THAT(claim_timing_processor(divide({}, 1)).processor, IsEmpty());
  const auto only = claim_timing_processor(divide({5}, 4));
  EXPECT_THAT(only.processor, ElementsAre(5));
  EXPECT_FALSE(only.claim.held()) << "no lock for nothing";
}

TEST(Processors, ReserveOnePerTimingUpToOneQuarter) {
  EXPECT_THAT(divide(first(32), 2).timing, ElementsAre(30, 31));
  EXPECT_THAT(divide(first(32), 2).working, SizeIs(30));
  EXPECT_THAT(divide(first(16), 8).timing, ElementsAre(12, 13, 14, 15));
  EXPECT_THAT(divide(first(2), 8).timing, ElementsAre(1));
}

TEST(Processors, AreClaimedByOneTimingAtATime) {
  const Processors processors = divide({100001, 100002, 100003, 100004, 100005, 100006, 100007, 100008}, 2);
  auto one = claim_timing_processor(processors);
  if (!one.claim.held()) GTEST_SKIP() << "there is no lock on this machine";
  EXPECT_THAT(one.processor, ElementsAre(100008));
  const auto two = claim_timing_processor(processors);
  EXPECT_THAT(two.processor, ElementsAre(100007));
  EXPECT_THAT(claim_timing_processor(processors).processor, ElementsAre(100008)) << "all are taken";
  one = {};
  EXPECT_TRUE(claim_timing_processor(processors).claim.held());
}

}  // namespace
}  // namespace hone::judge
