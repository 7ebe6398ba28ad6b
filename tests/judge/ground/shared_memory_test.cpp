#include "tool/judge/ground/shared_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/judge/fake_ground.h"

namespace hone::judge {
namespace {

constexpr std::size_t bytes = 8192;

TEST(SharedMemory, RefusesWritableMappingOfReadOnlyMemory) {
  const auto memory = SharedMemory::create(bytes, SharedMemory::Access::read_only).value();
  EXPECT_EQ(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor(), 0), MAP_FAILED);
  void* read_only = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, memory.descriptor(), 0);
  ASSERT_NE(read_only, MAP_FAILED);
  memory.data()[7] = std::byte{42};  // the judge's own mapping was made before
  EXPECT_EQ(static_cast<const std::byte*>(read_only)[7], std::byte{42});
  munmap(read_only, bytes);
}

TEST(SharedMemory, CanNeitherGrowNorShrink) {
  const auto memory = SharedMemory::create(bytes, SharedMemory::Access::read_write).value();
  EXPECT_NE(ftruncate(memory.descriptor(), 0), 0);
  EXPECT_NE(ftruncate(memory.descriptor(), 2 * bytes), 0);
}

TEST(SharedMemory, CopiesToAndFromLentMemory) {
  FakeGround ground = lending_ground();
  auto memory = SharedMemory::create(bytes, SharedMemory::Access::read_write, ground).value();
  ASSERT_TRUE(memory.is_lent());
  EXPECT_EQ(memory.handle().lent_bytes, bytes);
  const std::byte* lent = static_cast<const FakeMemory&>(memory.lent()).data();
  memory.data()[100] = std::byte{5};
  memory.push(0, 200);
  EXPECT_EQ(lent[100], std::byte{5});
  memory.lent().fill(300, std::byte{6}, 10);
  EXPECT_NE(memory.data()[305], std::byte{6});
  memory.pull(300, 10);
  EXPECT_EQ(memory.data()[305], std::byte{6});
}

TEST(SharedMemory, KeepsContentWhenMoved) {
  auto memory = SharedMemory::create(bytes, SharedMemory::Access::read_write).value();
  memory.data()[1] = std::byte{9};
  SharedMemory other = std::move(memory);
  EXPECT_EQ(other.data()[1], std::byte{9});
  EXPECT_EQ(memory.data(), nullptr);
}

TEST(SharedMemory, SealsCopyAgainstWrites) {
  const auto copy = SharedMemory::sealed_copy("an object").value();
  EXPECT_LT(pwrite(copy.get(), "x", 1, 0), 0);
}

}  // namespace
}  // namespace hone::judge
