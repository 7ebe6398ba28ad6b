// A short one of each kind; docs/BENCHMARKS.md has the long ones.
#include <gmock/gmock.h>

#include "cache/store.h"
#include "tests/cache/folder.h"
#include "tests/cache/stress.h"

namespace hone::cache {
namespace {

using ::testing::IsEmpty;

class StoreUnderStress : public FolderTest {
 protected:
  Stress stress(unsigned operations, unsigned kills) const {
    Stress stress{path("store")};
    stress.operations = operations, stress.kills = kills;
    return stress;
  }
};

TEST_F(StoreUnderStress, LosesNothingThatWasReportedAsStored) {
  const StressResult result = run(stress(600, 40));
  EXPECT_THAT(result.faults, IsEmpty());
  EXPECT_GE(result.operations, 600u);
  EXPECT_EQ(result.kills, 40u);
  EXPECT_GT(result.kills_while_storing, 0u) << "else this test kills nobody in the middle";
  EXPECT_GT(result.held_to, 50u);
}

TEST_F(StoreUnderStress, KeepsWhatWasUsedLastWhilePruned) {
  Stress hard = stress(1500, 20);
  hard.most_bytes = 400'000;
  const StressResult result = run(hard);
  EXPECT_THAT(result.faults, IsEmpty());
  EXPECT_GT(result.prunes, 5u);
  EXPECT_GT(result.missed, 0u) << "else nothing was pruned";
  EXPECT_GT(result.held_to, 5u);
}

}  // namespace
}  // namespace hone::cache
