// Which versions are worth asking ncu about.
#include "tool/tune/profile/nearly_fastest.h"

#include <gtest/gtest.h>

namespace hone::tune {
namespace {

TEST(NearlyFastest, IncludesRecordsAndCandidatesCloseToThem) {
  NearlyFastest fastest;
  EXPECT_TRUE(fastest.take(0.9)) << "the first";
  EXPECT_TRUE(fastest.take(10));
  EXPECT_TRUE(fastest.take(8.1));
  EXPECT_FALSE(fastest.take(7.9));
  EXPECT_TRUE(fastest.take(12));
  EXPECT_FALSE(fastest.take(9)) << "near the record that was";
}

}  // namespace
}  // namespace hone::tune
