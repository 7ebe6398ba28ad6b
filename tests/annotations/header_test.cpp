#include <type_traits>

#include <gtest/gtest.h>
#include <hone/hone.h>

namespace {

HONE_TUNABLE(WIDTH, 16, 32);

TEST(Header, DefinesTunableAsConstantOfFirstValue) {
  HONE_TUNABLE(SCALE, 0.5f, 2.0f);
  static_assert(WIDTH == 16);
  static_assert(std::is_same_v<decltype(WIDTH), const int>);
  static_assert(std::is_same_v<decltype(SCALE), const float>);
  int sized[WIDTH] = {};
  EXPECT_EQ(sizeof sized / sizeof *sized, 16u);
}

}  // namespace
