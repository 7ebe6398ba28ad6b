#include "tool/base/text_constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TextConstants, ReadsIntegersInEverySpelling) {
  EXPECT_THAT(text_constants("if (n > 5'552u && n != 0x40 && n % 010 && n < 0b11000) f<31>(n);"),
              ElementsAre(8, 24, 31, 64, 5552));
}

TEST(TextConstants, FoldsProductsAndShiftsOfNeighbors) {
  EXPECT_THAT(text_constants("static char block[64 * 1024]; int most = 3 << 12, odd = n * 7 << 2;"),
              ElementsAre(2, 3, 7, 12, 28, 64, 1024, 12288, 65536));
}

TEST(TextConstants, IgnoresCommentsStringsNamesAndReals) {
  EXPECT_THAT(text_constants("// 100\n/* 200 */ f(\"300 \\\" 301\", '7', x400, v2, 2.5f, 1e6, 3.0); /* 500"),
              IsEmpty());
}

TEST(TextConstants, SkipsOverflowAndLimitsCount) {
  EXPECT_THAT(text_constants("99999999999999999999999 * 4; 0; 1; 1ull << 63; 5 << 70"), ElementsAre(4, 5, 63, 70));
  std::string many;
  for (int i = 100; i < 400; ++i) many += std::to_string(i) + ",";
  EXPECT_EQ(text_constants(many).size(), most_text_constants);
}

}  // namespace
}  // namespace hone
