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

TEST(Habits, ReportDeviceMemoryThatGrowsInBothStretches) {
  const auto pooled = [](std::uint64_t bytes) { return Holdings{.device_bytes = 9u << 20, .pooled_bytes = bytes}; };
  const auto leak = growth(pooled(0), pooled(640), pooled(1280), 10);
  ASSERT_TRUE(leak);
  EXPECT_EQ(growth_words(*leak), "keeps 64 bytes more of the device's memory with each call");
  EXPECT_FALSE(growth(pooled(0), pooled(640), pooled(640), 10));
}

// Other processes come and go on the same device.
TEST(Habits, TakeUnevenGrowthOfDeviceMemoryForOthers) {
  const auto used = [](std::uint64_t megabytes) { return Holdings{.device_bytes = megabytes << 20}; };
  EXPECT_TRUE(growth(used(100), used(180), used(261), 8));
  EXPECT_FALSE(growth(used(100), used(180), used(270), 8));
  EXPECT_TRUE(as_much_on_device(used(10), used(10), 8));
  EXPECT_FALSE(as_much_on_device(used(10), used(21), 8));
}

TEST(Habits, ReportsLeftoverThreadsBeforeHeapGrowth) {
  const auto grown = growth({100, 1u << 20, 1}, {200, 2u << 20, 9}, {300, 3u << 20, 17}, 8);
  ASSERT_TRUE(grown);
  EXPECT_EQ(growth_words(*grown), "leaves a thread behind with each call");
}

}  // namespace
}  // namespace hone::judge
