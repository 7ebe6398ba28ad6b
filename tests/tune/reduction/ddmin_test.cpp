// Which parts are left, and how often one is asked.
#include "tool/tune/reduction/ddmin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hone::tune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Parts = std::vector<std::size_t>;

bool has(const Parts& parts, std::size_t part) {
  return std::ranges::find(parts, part) != parts.end();
}

Attempt holds(bool condition) {
  return condition ? Attempt::holds : Attempt::fails;
}

TEST(Ddmin, KeepsPartsThatAreNeeded) {
  const Minimal minimal =
      ddmin(20, [](const Parts& parts) { return holds(has(parts, 3) && has(parts, 4) && has(parts, 17)); });
  EXPECT_THAT(minimal.parts, ElementsAre(3, 4, 17));
  EXPECT_TRUE(minimal.complete);
}

TEST(Ddmin, LeavesNothingWhereNothingIsNeeded) {
  EXPECT_THAT(ddmin(7, [](const Parts&) { return Attempt::holds; }).parts, IsEmpty());
}

TEST(Ddmin, AsksAboutNothingWhereThereIsNothing) {
  EXPECT_THAT(ddmin(0, [](const Parts&) { return ADD_FAILURE(), Attempt::fails; }).parts, IsEmpty());
}

TEST(Ddmin, LeavesNoPartThatCouldGoAlone) {
  // 5 can go only once 6 has gone, and comes before it.
  const auto fits = [](const Parts& parts) { return has(parts, 0) && (has(parts, 5) || !has(parts, 6)); };
  EXPECT_THAT(ddmin(8, [&](const Parts& parts) { return holds(fits(parts)); }).parts, ElementsAre(0));
}

TEST(Ddmin, TakesLargeChunksFirst) {
  unsigned asked = 0;
  const Minimal minimal = ddmin(64, [&](const Parts& parts) { return ++asked, holds(has(parts, 0)); });
  EXPECT_THAT(minimal.parts, ElementsAre(0));
  EXPECT_LT(asked, 20u) << "one at a time are 64";
}

TEST(Ddmin, GivesWhatHeldLastWhereItIsStopped) {
  unsigned asked = 0;
  const Minimal minimal = ddmin(8, [&](const Parts&) { return ++asked == 1 ? Attempt::holds : Attempt::stop; });
  EXPECT_THAT(minimal.parts, ElementsAre(0, 1, 2, 3));
  EXPECT_FALSE(minimal.complete);
}

}  // namespace
}  // namespace hone::tune
