// What is drawn in rows is what is drawn one by one, on every processor.
#include "tool/judge/data/uniform_fill.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace hone::judge {
namespace {

template <class T>
class UniformFill : public testing::Test {};

using Types = testing::Types<float, double, std::int32_t>;
TYPED_TEST_SUITE(UniformFill, Types);

TYPED_TEST(UniformFill, GivesValuesThatAreDrawnOneByOne) {
  for (const Range range : {Range{-1, 1}, Range{-0.3, 1e6 / 7}, Range{2, 2}}) {
    std::vector<TypeParam> row(1003, TypeParam(-77));
    fill_uniform(row.data(), 3, 1001, range, 42);
    for (const std::size_t outside : {0, 2, 1001, 1002}) EXPECT_EQ(row[outside], TypeParam(-77));
    for (std::size_t i = 3; i < 1001; ++i) ASSERT_EQ(row[i], uniform_value<TypeParam>(range, bits_at(42, i))) << i;
  }
}

}  // namespace
}  // namespace hone::judge
