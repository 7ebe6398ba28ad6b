// The file in which searches leave what they learned.
#include "tool/tune/model/learned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/files.h"

namespace hone::tune {
namespace {

using search::Memory;

class LearnedTest : public testing::Test {
 protected:
  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-learned").value();
  std::filesystem::path file_ = folder_.path() / "cache" / "memory.json";
  const search::KernelState state_{"memory", {{"locality", 1}}};

  Memory with(const Memory& before, const std::string& technique, double gain) const {
    Memory after = before;
    after.record(state_, technique, gain, gain);
    return after;
  }
};

TEST_F(LearnedTest, IsEmptyWithoutFile) {
  const auto memory = read_memory(file_);
  ASSERT_TRUE(memory);
  EXPECT_TRUE(memory->entries().empty());
}

TEST_F(LearnedTest, KeepsWhatWasLearned) {
  const Memory learned = with({}, "tile", 2);
  ASSERT_TRUE(add_to_memory(file_, {}, learned));
  EXPECT_EQ(read_memory(file_)->entries(), learned.entries());
}

TEST_F(LearnedTest, LosesNothingOfRunBeside) {
  ASSERT_TRUE(add_to_memory(file_, {}, with({}, "tile", 2)));
  ASSERT_TRUE(add_to_memory(file_, {}, with({}, "unroll", 1.5)));
  EXPECT_EQ(read_memory(file_)->entries().size(), 2u);
}

TEST_F(LearnedTest, AddsUsesOfTwoRunsThatLearnedSame) {
  ASSERT_TRUE(add_to_memory(file_, {}, with({}, "tile", 2)));
  ASSERT_TRUE(add_to_memory(file_, {}, with({}, "tile", 8)));
  const auto memory = read_memory(file_);
  ASSERT_EQ(memory->entries().size(), 1u);
  EXPECT_EQ(memory->entries()[0].uses, 2u);
  EXPECT_NEAR(memory->entries()[0].actual, 4, 1e-6) << "the geometric mean";
}

TEST_F(LearnedTest, WritesNothingIfNothingWasLearned) {
  ASSERT_TRUE(add_to_memory(file_, {}, {}));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(LearnedTest, SetsBrokenFileAside) {
  std::filesystem::create_directories(file_.parent_path());
  ASSERT_TRUE(os::write_file_atomically(file_, "not a memory"));
  EXPECT_FALSE(read_memory(file_));
  ASSERT_TRUE(add_to_memory(file_, {}, with({}, "tile", 2)));
  EXPECT_EQ(read_memory(file_)->entries().size(), 1u);
  EXPECT_EQ(os::read_file(file_.string() + ".corrupt").value(), "not a memory");
}

}  // namespace
}  // namespace hone::tune
