// What arrays hold: the distributions of init(), files, changes between calls.
#include "tool/judge/data/input_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "tests/judge/data/data_fixtures.h"
#include "tool/os/files/files.h"

namespace hone::judge {
namespace {

TEST(InputData, DrawsFloatsUniformlyBetweenMinusOneAndOne) {
  const auto x = draw<float>(float_element, 20000);
  EXPECT_GE(*std::ranges::min_element(x), -1);
  EXPECT_LT(*std::ranges::max_element(x), 1);
  EXPECT_NEAR(std::accumulate(x.begin(), x.end(), 0.0) / 20000, 0, 0.02);
  EXPECT_GT(std::set<float>(x.begin(), x.end()).size(), 19000u);
}

TEST(InputData, DrawsSameElementsForAnyArrayLength) {
  const auto few = draw<float>(float_element, 1000), many = draw<float>(float_element, 3'000'001);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_GT(std::set<float>(many.end() - 1000, many.end()).size(), 900u);
}

TEST(InputData, DrawsBytesFromWholeRange) {
  const auto x = draw<unsigned char>(byte_element, 20000);
  EXPECT_EQ(std::set<unsigned char>(x.begin(), x.end()).size(), 256u);
}

TEST(InputData, FollowsInitClause) {
  for (int i : draw<int>(int_element, 1000, Init{Distribution::index, {0, 1}, ""}, {3, 9}))
    ASSERT_TRUE(i >= 3 && i < 9);
  for (double v : draw<double>(double_element, 1000, Init{Distribution::uniform, {0, 1}, ""}, {5, 6}))
    ASSERT_TRUE(v >= 5 && v < 6);
  EXPECT_TRUE(std::ranges::is_sorted(draw<double>(double_element, 1000, Init{Distribution::sorted, {}, ""})));
  EXPECT_TRUE(std::ranges::is_sorted(draw<int>(int_element, 1000, Init{Distribution::sorted, {}, ""})));
  auto permutation = draw<int>(int_element, 1000, Init{Distribution::permutation, {}, ""});
  EXPECT_FALSE(std::ranges::is_sorted(permutation));
  std::ranges::sort(permutation);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(permutation[static_cast<std::size_t>(i)], i);
  EXPECT_THAT(draw<int>(int_element, 5, Init{Distribution::constant, {0}, ""}, {42}), ::testing::Each(42));
  EXPECT_THAT(draw<int>(int_element, 5, Init{Distribution::zeros, {}, ""}), ::testing::Each(0));
  const auto normal = draw<double>(double_element, 20000, Init{Distribution::normal, {0, 1}, ""}, {10, 2});
  double sum = 0, squares = 0;
  for (double v : normal) sum += v, squares += (v - 10) * (v - 10);
  EXPECT_NEAR(sum / 20000, 10, 0.1);
  EXPECT_NEAR(std::sqrt(squares / 20000), 2, 0.1);
}

TEST(InputData, PlacesSpecialValueByRound) {
  const auto at = [](Special kind, unsigned round) {
    const auto x = draw<float>(float_element, 100, {}, {}, {kind, 0, round});
    const auto found = std::ranges::find_if(x, [](float v) { return !(std::fabs(v) <= 1); });
    return found - x.begin();
  };
  for (const Special kind : {Special::nan, Special::infinite, Special::huge, Special::square_overflows}) {
    EXPECT_EQ(at(kind, 0), 0);
    EXPECT_EQ(at(kind, 1), 99);
    EXPECT_GE(at(kind, 2), 92);
    EXPECT_LT(at(kind, 3), 100);
  }
  EXPECT_LT(draw<float>(float_element, 9, {}, {}, {Special::infinite, 0, 1})[8], 0);
  const auto small = draw<float>(float_element, 4000, {}, {}, {Special::small, -1, 0});
  EXPECT_TRUE(std::ranges::any_of(small, [](float v) { return v != 0 && std::fabs(v) < 1e-38f; }));
  const auto integers = draw<int>(int_element, 100, {}, {}, {Special::integer_extremes, 0, 0});
  EXPECT_EQ(integers.front(), std::numeric_limits<int>::max());
  EXPECT_EQ(integers.back(), std::numeric_limits<int>::min());
}

TEST(InputData, AddsNoSpecialValuesWhenInitIsGiven) {
  for (const float v : draw<float>(float_element, 50, Init{Distribution::uniform, {}, ""}, {}, {Special::nan, 0, 0}))
    ASSERT_LE(std::fabs(v), 1);
}

TEST(InputData, KeepsDistributionWhenMutating) {
  Case c{.seed = 11};
  c.arrays = {line(500, 4)};
  c.values.reals = {2, 7};
  for (const Distribution distribution : {Distribution::index, Distribution::sorted, Distribution::permutation}) {
    Parameter parameter{.name = "x", .pointer = true, .element = int_element, .init = Init{distribution, {}, ""}};
    if (distribution == Distribution::index) parameter.init->arguments = {0, 1};
    std::vector<int> data(500);
    auto* bytes = reinterpret_cast<std::byte*>(data.data());
    draw_array(parameter, c, 0, bytes);
    const auto before = data;
    for (unsigned i = 0; i < 50; ++i) mutate_array(parameter, c, 0, bytes, {8, i});
    EXPECT_NE(data, before);
    if (distribution == Distribution::index) {
      EXPECT_TRUE(std::ranges::all_of(data, [](int v) { return v >= 2 && v < 7; }));
    } else if (distribution == Distribution::sorted) {
      EXPECT_TRUE(std::ranges::is_sorted(data));
    } else if (distribution == Distribution::permutation) {
      EXPECT_EQ(std::set<int>(data.begin(), data.end()).size(), 500u);
    }
  }
}

TEST(InputData, ReadsArrayFromFile) {
  auto folder = os::TemporaryFolder::create("hone-npy-test").value();
  const float values[] = {1, 2, 3};
  const auto path = folder.path() / "x.npy";
  ASSERT_TRUE(
      os::write_file_atomically(path, npy("<f4", "(3,)", std::string(reinterpret_cast<const char*>(values), 12))));
  EXPECT_THAT(draw<float>(float_element, 3, Init{Distribution::file, {}, path}), ::testing::ElementsAre(1, 2, 3));
  Case c;
  c.arrays = {line(4, 4)};
  const Parameter parameter{
      .name = "x", .pointer = true, .element = float_element, .init = Init{Distribution::file, {}, path}};
  const auto refused = check_draw(parameter, c, 0);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), ::testing::HasSubstr("holds 3 elements, the array has 4"));
}

}  // namespace
}  // namespace hone::judge
