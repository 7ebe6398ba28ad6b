// When two arrays are the same, and what poison shows.
#include "tool/judge/data/comparison.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/judge/data/data_fixtures.h"

namespace hone::judge {
namespace {

template <class T>
std::optional<Mismatch> compared(const ElementType& element, const std::vector<T>& expected, const std::vector<T>& got,
                                 const Tolerance& tolerance = {}, Special special = Special::none) {
  const Array array = line(expected.size(), element.size);
  return compare({.element = element, .tolerance = tolerance, .array = array, .special = special},
                 reinterpret_cast<const std::byte*>(expected.data()), reinterpret_cast<const std::byte*>(got.data()));
}

TEST(Comparison, ScalesToleranceToData) {
  EXPECT_FALSE(compared<float>(float_element, {100, 0}, {100, 5e-4f}));  // 0 beside 100 is worth 1e-5 of its rms
  EXPECT_TRUE(compared<float>(float_element, {100, 0}, {100, 5e-3f}));
  EXPECT_TRUE(compared<float>(float_element, {1e-6f, 1e-6f}, {0, 0}));  // small data are data all the same
  EXPECT_TRUE(compared<double>(double_element, {1, 1}, {1, 1 + 1e-11}));
}

TEST(Comparison, DistinguishesHalfFromBfloat16) {
  const ElementType half{"__half", 2, 2, {{"", {ScalarKind::floating, 2}, 0, 1}}};
  const ElementType brain{"__nv_bfloat16", 2, 2, {{"", {ScalarKind::floating, 2, true}, 0, 1}}};
  EXPECT_FALSE(compared<Brain>(brain, {to_brain(1), to_brain(3e38f)}, {to_brain(1.01f), to_brain(3e38f)}));
  const auto mismatch = compared<Brain>(brain, {to_brain(1), to_brain(2)}, {to_brain(1), to_brain(2.5f)});
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->got, "2.5");
  EXPECT_TRUE(compared<Half>(half, {to_half(1)}, {to_half(1.01f)})) << "half has three bits more";
}

TEST(Comparison, ComparesIntegersExactly) {
  const auto mismatch = compared<int>(int_element, {1, 2, 3}, {1, 5, 4});
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->element, 1u);
  EXPECT_EQ(mismatch->got, "5");
  EXPECT_EQ(mismatch->count, 2u);
}

TEST(Comparison, ReportsFirstMismatchWhenThreadsCompare) {
  std::vector<int> expected(3'000'001), got(expected.size());
  for (const std::size_t wrong : {2'999'999u, 70'001u, 1'500'000u, 3'000'000u}) got[wrong] = 1;
  const auto mismatch = compared<int>(int_element, expected, got);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->element, 70'001u);
  EXPECT_EQ(mismatch->count, 4u);
}

TEST(Comparison, MatchesNanAndInfinityOnlyWithThemselves) {
  EXPECT_FALSE(compared<float>(float_element, {NAN, INFINITY}, {-NAN, INFINITY}));
  EXPECT_TRUE(compared<float>(float_element, {INFINITY}, {-INFINITY}));
  EXPECT_TRUE(compared<float>(float_element, {1, 1}, {1, NAN}));
  EXPECT_TRUE(compared<float>(float_element, {INFINITY, 1}, {NAN, 1}, {}, Special::infinite));
  EXPECT_TRUE(compared<float>(float_element, {NAN, 1}, {INFINITY, 1}, {}, Special::infinite));
  EXPECT_TRUE(compared<float>(float_element, {1, 1}, {1, NAN}, {}, Special::infinite));
}

TEST(Comparison, AppliesUlpTolerance) {
  const Tolerance two{.ulp = 2};
  EXPECT_FALSE(compared<float>(float_element, {1}, {1 + 2 * 0x1p-23f}, two));
  EXPECT_TRUE(compared<float>(float_element, {1}, {1 + 3 * 0x1p-23f}, two));
  EXPECT_TRUE(compared<float>(float_element, {1}, {1 + 0x1p-23f}, {.exact = true}));
}

TEST(Comparison, NamesFieldsAndIgnoresPadding) {
  struct Point {
    double value;
    int id, padding;
  };
  EXPECT_FALSE(compared<Point>(point_element, {{1, 2, 3}}, {{1, 2, 99}}));
  const auto mismatch = compared<Point>(point_element, {{1, 2, 0}}, {{1, 7, 0}});
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->field, "id");
}

TEST(Comparison, ComparesOnlyTheDeclaredBox) {
  const Array box{{{1, 2}, {1, 3}}, 12, 48};  // of 3 x 4, rows 1 and 2, columns 1 to 3
  const Tolerance tolerance;
  std::vector<int> expected(12), got(12);
  const auto mismatch = [&] {
    return compare({.element = int_element, .tolerance = tolerance, .array = box},
                   reinterpret_cast<const std::byte*>(expected.data()), reinterpret_cast<const std::byte*>(got.data()));
  };
  for (const std::size_t outside : {0u, 3u, 4u, 8u}) got[outside] = 1;
  EXPECT_FALSE(mismatch());
  for (const std::size_t inside : {5u, 7u, 9u, 11u}) got[inside] = 1;
  ASSERT_TRUE(mismatch());
  EXPECT_EQ(mismatch()->count, 4u);
  EXPECT_EQ(mismatch()->element, 5u);
}

TEST(Poison, FillsFloatsWithNanOrOrdinaryNumbers) {
  for (std::uint64_t key = 1; key < 200; key += 2) {
    float floats[2];
    double number = 0;
    Half half;
    const auto fill = [&](const ElementType& element, void* to, std::size_t bytes) {
      Poison(element, key).fill(static_cast<std::byte*>(to), bytes);
    };
    fill(float_element, floats, 8);
    fill(double_element, &number, 8);
    fill({"__half", 2, 2, {{"", {ScalarKind::floating, 2}, 0, 1}}}, &half, 2);
    for (const double v : {double{floats[0]}, double{floats[1]}, number, double{to_float(half)}})
      ASSERT_TRUE(std::fabs(v) > 1e-3 && std::fabs(v) <= 2) << v;
  }
}

TEST(Poison, FillsFloatsWithNanThatDiffersByKey) {
  std::vector<float> floats(33);
  std::vector<double> doubles(33);
  const Poison one(float_element, 2), other(float_element, 4);
  one.fill(reinterpret_cast<std::byte*>(floats.data()), 132);
  one.fill(reinterpret_cast<std::byte*>(doubles.data()), 264);
  for (float v : floats) ASSERT_TRUE(std::isnan(v));
  for (double v : doubles) ASSERT_TRUE(std::isnan(v));
  EXPECT_TRUE(one.covers(reinterpret_cast<std::byte*>(&floats[7]), 28, 4));
  EXPECT_FALSE(other.covers(reinterpret_cast<std::byte*>(doubles.data()), 0, 8));
}

}  // namespace
}  // namespace hone::judge
