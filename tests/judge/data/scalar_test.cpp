// Conversions of the small floating types.
#include "tool/judge/data/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/judge/data/data_fixtures.h"

namespace hone::judge {
namespace {

TEST(Half, RoundsAsIeee754Requires) {
  for (unsigned bits = 0; bits < 0x7c00; ++bits)
    ASSERT_EQ(to_half(to_float(Half{static_cast<std::uint16_t>(bits)})).bits, bits);
  EXPECT_EQ(to_half(65519.0f).bits, 0x7bff);
  EXPECT_EQ(to_half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_half(-1.0f).bits, 0xbc00);
  EXPECT_TRUE(std::isnan(to_float(to_half(NAN))));
}

TEST(BrainFloat, RoundsToNearestEven) {
  for (unsigned bits = 0; bits < 0x7f80; ++bits)
    ASSERT_EQ(to_brain(to_float(Brain{static_cast<std::uint16_t>(bits)})).bits, bits);
  EXPECT_EQ(to_brain(1.00390625f).bits, 0x3f80);  // half way: 1 is even
  EXPECT_EQ(to_brain(1.01171875f).bits, 0x3f82);  // half way: up to the even one
  EXPECT_EQ(to_brain(std::numeric_limits<float>::max()).bits, 0x7f80);
  EXPECT_EQ(to_brain(-1.0f).bits, 0xbf80);
  EXPECT_TRUE(std::isnan(to_float(to_brain(NAN))));
}

}  // namespace
}  // namespace hone::judge
