#include "tool/judge/bench/failure_text.h"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

TEST(FailureText, DistinguishesLaunchWithoutResourcesFromOtherFailures) {
  EXPECT_TRUE(lacks_room("failed on the device: too many resources requested for launch (n=17, seed 1)"));
  EXPECT_TRUE(lacks_room("failed on the device: too many blocks in cooperative launch (n=17, seed 1)"));
  EXPECT_FALSE(lacks_room("failed on the device: an illegal memory access was encountered (n=17, seed 1)"));
}

}  // namespace
}  // namespace hone::judge
