// The processors as a ground: how many slots a pool has, and what they have nothing to do with.
#include "tool/judge/ground/processor_ground.h"

#include <gtest/gtest.h>

#include "tool/judge/ground/shared_memory.h"

namespace hone::judge {
namespace {

TEST(ProcessorGround, GivesSmallArraysSlotsThatStayInCache) {
  ProcessorGround ground;
  EXPECT_EQ(ground.slots({.slot_bytes = 16u << 10}), 16u);
  EXPECT_EQ(ground.slots({.slot_bytes = 64}), 64u);
}

TEST(ProcessorGround, GivesHugeArraysOneSlot) {
  EXPECT_EQ(ProcessorGround().slots({.slot_bytes = 40u << 20}), 1u);
}

TEST(ProcessorGround, GivesRestoredArraysSlotsForWholeBatches) {
  EXPECT_EQ(ProcessorGround().slots({.slot_bytes = 4u << 20, .restores = true}), 16u);
}

TEST(ProcessorGround, GivesEachCallOfBatchItsOwnSlotWithinCache) {
  EXPECT_EQ(ProcessorGround().slots({.slot_bytes = 1024, .calls = 500}), 500u);
  EXPECT_EQ(ProcessorGround().slots({.slot_bytes = 1024, .calls = 5000}), 1024u);
}

TEST(ProcessorGround, KeepsWantedMemoryLimitAndFindsOneOtherwise) {
  ProcessorGround ground;
  EXPECT_EQ(ground.memory_limit(12345), 12345u);
  EXPECT_GT(ground.memory_limit(0), 1u << 20);
}

TEST(ProcessorGround, LendsNoMemory) {
  ProcessorGround ground;
  const auto memory = SharedMemory::create(4096, SharedMemory::Access::read_write, ground);
  ASSERT_TRUE(memory);
  EXPECT_FALSE(memory->is_lent());
  EXPECT_EQ(memory->handle().descriptor, memory->descriptor());
  EXPECT_EQ(memory->handle().lent_bytes, 0u);
}

TEST(ProcessorGround, ScalesStoresWithThreads) {
  ProcessorGround ground;
  EXPECT_DOUBLE_EQ(ground.stored_per_second(4), 4 * ground.stored_per_second(1));
  EXPECT_EQ(ground.copied_per_second(), 0);
}

}  // namespace
}  // namespace hone::judge
