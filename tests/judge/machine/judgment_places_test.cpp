// Searches that share a device count each other's judgments.
#include "tool/judge/machine/judgment_places.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/judge/machine/lock_files.h"

namespace hone::judge {
namespace {

TEST(JudgmentPlaces, HasNoneToSpareWhereSoManyAreTaken) {
  const LockFiles files("three-places");
  const JudgmentPlaces three(files.name(), 3);
  const TurnLock only = three.take();
  std::optional<TurnLock> second = three.take_spare();
  const TurnLock third = three.take_spare();
  EXPECT_TRUE(second->held());
  EXPECT_TRUE(third.held());
  EXPECT_FALSE(three.take_spare().held());
  second.reset();
  EXPECT_TRUE(three.take_spare().held());
}

TEST(JudgmentPlaces, GivesOnlyJudgmentOnePastTheLimit) {
  const LockFiles files("one-place");
  const JudgmentPlaces one(files.name(), 1);
  const TurnLock first = one.take(), second = one.take();
  EXPECT_TRUE(first.held());
  EXPECT_TRUE(second.held());
  EXPECT_FALSE(one.take_spare().held());
}

TEST(JudgmentPlaces, HasNoneToSpareWhereFilesCannotBeMade) {
  EXPECT_FALSE(JudgmentPlaces("no/such/folder", 3).take_spare().held());
}

}  // namespace
}  // namespace hone::judge
