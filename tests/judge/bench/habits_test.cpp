#include "tool/judge/bench/habits.h"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

TEST(Habits, AllowsStateThatOriginalChangesToo) {
  Habits original;
  original.add({.changed = runner::changed_rounding});
  EXPECT_EQ(beyond(original, {.changed = runner::changed_rounding}), "");
  EXPECT_EQ(beyond(original, {.changed = runner::changed_rounding | runner::changed_signals}),
            "leaves other signals blocked than before");
}

TEST(Habits, AllowsQuarterMegabyteMoreStack) {
  Habits original;
  EXPECT_EQ(beyond(original, {.stack_bytes = 300u << 10}), "");
  EXPECT_EQ(beyond(original, {.stack_bytes = 400u << 10}),
            "needs 400 KiB of stack where the original needs at most 64");
  original.add({.stack_bytes = 200u << 10});
  EXPECT_EQ(beyond(original, {.stack_bytes = 400u << 10}), "");
  EXPECT_EQ(beyond(original, {.stack_bytes = 500u << 10}), "needs 500 KiB of stack where the original needs 200");
}

TEST(Habits, ReportsLeakOnlyIfHeapGrowsInBothStretches) {
  const auto heap = [](std::uint64_t bytes) { return Holdings{.heap_bytes = bytes}; };
  const auto leak = growth(heap(1000), heap(1640), heap(2280), 10);
  ASSERT_TRUE(leak);
  EXPECT_EQ(growth_words(*leak), "leaks 64 bytes with each call");
  EXPECT_FALSE(growth(heap(1000), heap(9000), heap(9000), 10));  // a cache that filled
  EXPECT_FALSE(growth(heap(1000), heap(9000), heap(9100), 10));
  EXPECT_FALSE(growth(heap(1000), heap(900), heap(1000), 10));
}

TEST(Habits, ReportPooledMemoryThatGrowsInBothStretches) {
  const auto pooled = [](std::uint64_t bytes) { return Holdings{.device_bytes = 9u << 20, .pooled_bytes = bytes}; };
  const auto leak = growth(pooled(0), pooled(640), pooled(1280), 10);
  ASSERT_TRUE(leak);
  EXPECT_EQ(growth_words(*leak), "keeps 64 bytes more of the device's memory with each call");
  EXPECT_FALSE(growth(pooled(0), pooled(640), pooled(640), 10));
}

// Other processes come and go on the same device: in megabytes, one figure before and one after each stretch.
TEST(Habits, CountDeviceMemoryThatMostStretchesOfCallsTake) {
  const auto each = [](std::vector<std::uint64_t> used) {
    for (std::uint64_t& bytes : used) bytes <<= 20;
    const auto grown = device_growth(used, 8, 5);
    return grown ? static_cast<long long>(*grown >> 20) : -1;
  };
  EXPECT_EQ(each({100, 100, 100, 100}), 0);
  EXPECT_EQ(each({100, 180, 180, 180, 180}), 0) << "another process began";
  EXPECT_EQ(each({100, 108, 116, 124}), 1);
  EXPECT_EQ(each({100, 108, 700, 708, 200, 208}), 1) << "another process came and went";
  EXPECT_EQ(each({100, 120, 170, 290, 300, 302}), 0) << "others alone: no two are alike";
  EXPECT_EQ(each({100, 108, 116, 116}), -1);
}

TEST(Habits, ReportsLeftoverThreadsBeforeHeapGrowth) {
  const auto grown = growth({100, 1u << 20, 1}, {200, 2u << 20, 9}, {300, 3u << 20, 17}, 8);
  ASSERT_TRUE(grown);
  EXPECT_EQ(growth_words(*grown), "leaves a thread behind with each call");
}

}  // namespace
}  // namespace hone::judge
