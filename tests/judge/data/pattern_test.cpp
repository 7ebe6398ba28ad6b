// Arrays by pattern: ties, orders, magnitudes, constants.
#include "tool/judge/data/pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "tests/judge/data/data_fixtures.h"

namespace hone::judge {
namespace {

TEST(Pattern, DrawsTiesAndSortedOrders) {
  const auto count = [](const std::vector<float>& v) { return std::set<float>(v.begin(), v.end()).size(); };
  EXPECT_EQ(count(patterned<float>(float_element, {.kind = PatternKind::equal}, 100)), 1u);
  const auto few = count(patterned<float>(float_element, {.kind = PatternKind::few}, 100));
  EXPECT_TRUE(few >= 2 && few <= 4) << few;
  EXPECT_TRUE(std::ranges::is_sorted(patterned<int>(int_element, {.kind = PatternKind::ascending}, 100)));
  EXPECT_TRUE(std::ranges::is_sorted(patterned<int>(int_element, {.kind = PatternKind::descending}, 100),
                                     std::ranges::greater{}));
  EXPECT_FALSE(std::ranges::is_sorted(patterned<int>(int_element, {.kind = PatternKind::one_fault}, 100)));
}

TEST(Pattern, DrawsExtremeMagnitudes) {
  const auto wide = patterned<float>(float_element, {.kind = PatternKind::magnitudes, .low = -126, .high = 126}, 2000);
  EXPECT_TRUE(std::ranges::any_of(wide, [](float v) { return std::fabs(v) > 1e30f; }));
  EXPECT_TRUE(std::ranges::any_of(wide, [](float v) { return std::fabs(v) < 1e-30f; }));
  for (const float v : patterned<float>(float_element, {.kind = PatternKind::denormals}, 100))
    ASSERT_LT(std::fabs(v), 1.2e-38f);
  const auto integers = patterned<int>(int_element, {.kind = PatternKind::wide, .high = 64}, 2000);
  EXPECT_TRUE(std::ranges::any_of(integers, [](int v) { return v > 1 << 29; }));
  EXPECT_TRUE(std::ranges::any_of(integers, [](int v) { return v < -(1 << 29); }));
}

TEST(Pattern, StaysWithinInitRange) {
  const Init uniform{Distribution::uniform, {0, 1}, ""};
  for (const PatternKind kind :
       {PatternKind::few, PatternKind::equal, PatternKind::runs, PatternKind::ascending, PatternKind::one_fault,
        PatternKind::constants, PatternKind::exact, PatternKind::limits, PatternKind::magnitudes,
        PatternKind::denormals, PatternKind::signed_zeros})
    for (const double v : patterned<double>(double_element, {.kind = kind, .constants = {0, 3, 7}}, 200, uniform))
      ASSERT_TRUE(v >= 2 && v < 7) << static_cast<int>(kind) << ": " << v;
}

// What is an index stays one: the neighbor of the first constant is below the range, that of the last one above.
TEST(Pattern, StaysWithinInitRangeBesideConstants) {
  const Init uniform{Distribution::uniform, {0, 1}, ""};  // from 2 to 7
  const auto x = patterned<int>(int_element, {.kind = PatternKind::constants, .constants = {2, 7}}, 400, uniform);
  EXPECT_EQ(std::ranges::min(x), 2);
  EXPECT_EQ(std::ranges::max(x), 7);
}

TEST(Pattern, DrawsRunsOfLimitsOfRange) {
  const Init uniform{Distribution::uniform, {0, 1}, ""};  // from 2 to 7
  const auto x = patterned<int>(int_element, {.kind = PatternKind::limits}, 400, uniform);
  for (const int limit : {2, 7}) EXPECT_GT(std::ranges::count(x, limit), 40) << limit;
  EXPECT_GT(std::ranges::count(x, 2) + std::ranges::count(x, 7), 300);
  int changes = 0;
  for (std::size_t i = 1; i < x.size(); ++i) changes += x[i] != x[i - 1];
  EXPECT_LT(changes, 250);
}

TEST(Pattern, DrawsLowEndWhereRangeIsEmpty) {
  const Init from_7_to_2{Distribution::uniform, {1, 0}, ""};
  for (const int v : patterned<int>(int_element, {.kind = PatternKind::limits}, 200, from_7_to_2)) ASSERT_EQ(v, 7);
}

TEST(Pattern, DrawsConstantsAndTheirNeighbors) {
  const auto x = patterned<float>(float_element, {.kind = PatternKind::constants, .constants = {0.5}}, 400);
  for (const float wanted : {0.5f, std::nextafter(0.5f, 1.0f), std::nextafter(0.5f, 0.0f)})
    EXPECT_TRUE(std::ranges::count(x, wanted)) << wanted;
}

TEST(Pattern, FillsArrayWithConstantIfTypeCanHoldIt) {
  const Pattern largest{.kind = PatternKind::equal, .constants = {255}};
  for (const std::uint8_t v : patterned<std::uint8_t>(byte_element, largest, 50)) ASSERT_EQ(v, 255);
  const auto others = patterned<std::uint8_t>(byte_element, {.kind = PatternKind::equal, .constants = {256}}, 50);
  EXPECT_EQ(std::set<std::uint8_t>(others.begin(), others.end()).size(), 1u);
}

TEST(Pattern, FillsArrayWithLargestIntegerOfRange) {
  const Init uniform{Distribution::uniform, {0, 1}, ""};  // from 2 to 7
  for (const int v : patterned<int>(int_element, {.kind = PatternKind::equal, .constants = {7}}, 50, uniform))
    ASSERT_EQ(v, 7);
}

TEST(Pattern, FillsArrayWithPowerOfTwoIfConstantIsNotAllowed) {
  const Init uniform{Distribution::uniform, {0, 1}, ""};  // from 2 to 7
  for (const double v : patterned<double>(double_element, {.kind = PatternKind::equal, .constants = {1}}, 50, uniform))
    ASSERT_EQ(v, 4);
}

template <class T>
void expect_ties_in_order(const ElementType& element) {
  const Init sorted{Distribution::sorted, {0, 1}, ""};  // from 2 to 7
  for (const PatternKind kind :
       {PatternKind::equal, PatternKind::few, PatternKind::runs, PatternKind::limits, PatternKind::corner}) {
    const auto x = patterned<T>(element, {.kind = kind}, 200, sorted);
    SCOPED_TRACE(pattern_name(kind) + " of " + element.spelling);
    EXPECT_TRUE(std::ranges::is_sorted(x));
    EXPECT_TRUE(x.front() >= 2 && x.back() <= 7) << x.front() << " to " << x.back();
    EXPECT_NE(std::ranges::adjacent_find(x), x.end());
    EXPECT_EQ(patterned<T>(element, {.kind = kind}, 200, sorted), x);
    const std::size_t most = kind == PatternKind::equal || kind == PatternKind::corner ? 1 : 100;
    EXPECT_LE(std::set<T>(x.begin(), x.end()).size(), most);
  }
}

TEST(Pattern, DrawsTiesInSortedData) {
  expect_ties_in_order<int>(int_element);
  expect_ties_in_order<unsigned>(unsigned_element);
  expect_ties_in_order<float>(float_element);
}

TEST(Pattern, LeavesSortedDataAsTheyAreUnlessItTies) {
  const Parameter x{
      .name = "x", .pointer = true, .element = int_element, .init = Init{Distribution::sorted, {0, 1}, ""}};
  EXPECT_TRUE(is_patterned(x, {.kind = PatternKind::runs}, 0));
  for (const PatternKind kind : {PatternKind::descending, PatternKind::constants, PatternKind::ends})
    EXPECT_FALSE(is_patterned(x, {.kind = kind}, 0)) << pattern_name(kind);
}

TEST(Pattern, DrawsArrayAtEitherEndOfItsRange) {
  const Parameter x{
      .name = "x", .pointer = true, .element = int_element, .init = Init{Distribution::uniform, {0, 1}, ""}};
  std::set<std::set<int>> ends;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Case c{.seed = seed, .pattern = {.kind = PatternKind::corner}};
    c.arrays = {line(50, 4)};
    c.values.reals = {2, 7};
    std::vector<int> data(50);
    draw_array(x, c, 0, reinterpret_cast<std::byte*>(data.data()));
    ends.emplace(data.begin(), data.end());
  }
  EXPECT_EQ(ends, (std::set<std::set<int>>{{2}, {7}}));
}

TEST(Pattern, TriesCornersOfFloatsWhereTruthIsKnown) {
  KernelSpec spec;
  spec.parameters = {{.name = "x", .pointer = true, .element = float_element, .extent = {{}}}};
  EXPECT_TRUE(corners(spec, false).empty());
  EXPECT_EQ(corners(spec, true), std::vector<Pattern>(4, {.kind = PatternKind::corner}));
  spec.parameters.push_back({.name = "keys", .pointer = true, .element = int_element, .extent = {{}}});
  EXPECT_EQ(corners(spec, false), std::vector<Pattern>(4, {.kind = PatternKind::corner, .integers_only = true}));
}

TEST(Pattern, DrawsPositiveValuesAndLimitsOfTheType) {
  for (const float v : patterned<float>(float_element, {.kind = PatternKind::positive}, 50)) ASSERT_GE(v, 0);
  const auto ends = patterned<int>(int_element, {.kind = PatternKind::ends}, 50);
  EXPECT_EQ(std::set<int>(ends.begin(), ends.end()), (std::set<int>{INT_MIN, INT_MAX}));
}

TEST(Pattern, DrawsPeriodicSignedClosedAndOffsetData) {
  const auto turns = patterned<int>(int_element, {.kind = PatternKind::periodic}, 60);
  EXPECT_LE(std::set<int>(turns.begin(), turns.end()).size(), 8u);
  const auto signs = patterned<float>(float_element, {.kind = PatternKind::signs}, 60);
  const std::set<float> values(signs.begin(), signs.end());
  EXPECT_EQ(values.size(), 3u);
  EXPECT_EQ(*values.begin(), -*values.rbegin());
  const auto ring = patterned<float>(float_element, {.kind = PatternKind::closed}, 60);
  EXPECT_EQ(ring.front(), ring.back());
  const auto close = patterned<float>(float_element, {.kind = PatternKind::offset}, 60);
  EXPECT_LT(*std::ranges::max_element(close) - *std::ranges::min_element(close), 2.0 / 32);
}

TEST(Pattern, DrawsArraysWithCommonPrefixAndSuffix) {
  Case c{.seed = 11, .pattern = {.kind = PatternKind::alike}};
  c.arrays = {line(20, 4), line(23, 4)};
  std::vector<int> shorter(20), longer(23);
  const Parameter parameter{.name = "x", .pointer = true, .element = int_element, .extent = {{}}};
  draw_array(parameter, c, 0, reinterpret_cast<std::byte*>(shorter.data()));
  draw_array(parameter, c, 1, reinterpret_cast<std::byte*>(longer.data()));
  const auto [a, b] = std::ranges::mismatch(shorter, longer);
  EXPECT_TRUE(std::equal(a, shorter.end(), longer.end() - (shorter.end() - a)));
  EXPECT_NE(shorter.front(), shorter.back());
}

TEST(Pattern, DrawsFaultyCopiesOfShortestArray) {
  Case c{.seed = 11, .pattern = {.kind = PatternKind::copies}};
  c.arrays = {line(20, 4), line(2000, 4)};
  std::vector<int> word(20), text(2000);
  const Parameter parameter{.name = "x", .pointer = true, .element = int_element, .extent = {{}}};
  draw_array(parameter, c, 0, reinterpret_cast<std::byte*>(word.data()));
  draw_array(parameter, c, 1, reinterpret_cast<std::byte*>(text.data()));
  std::map<std::ptrdiff_t, int> copies;  // by differences
  for (auto at = text.begin(); at != text.end(); at += 20)
    ++copies[std::inner_product(word.begin(), word.end(), at, std::ptrdiff_t{0}, std::plus{}, std::not_equal_to{})];
  EXPECT_GT(copies[0], 20);
  EXPECT_GT(copies[1], 20);
  EXPECT_EQ(copies[0] + copies[1], 100);
}

TEST(Pattern, DrawsWhatSeemsSortedFromAfar) {
  auto x = patterned<int>(int_element, {.kind = PatternKind::near_sorted}, 160);
  if (x.front() > x.back()) std::ranges::reverse(x);
  EXPECT_FALSE(std::ranges::is_sorted(x));
  for (std::size_t i = 16; i < x.size(); ++i) EXPECT_LE(x[i - 16], x[i]) << i;
}

TEST(Pattern, DrawsOneZeroRowOrColumn) {
  for (const bool is_column : {true, false}) {
    const Pattern line{.kind = PatternKind::zero_line, .width = 10, .is_column = is_column};
    const auto x = patterned<float>(float_element, line, 100);
    std::set<std::size_t> lines;
    for (std::size_t i = 0; i < 100; ++i)
      if (x[i] == 0) lines.insert(is_column ? i % 10 : i / 10);
    EXPECT_EQ(lines.size(), 1u);
    EXPECT_EQ(std::ranges::count(x, 0.0f), 10);
  }
}

}  // namespace
}  // namespace hone::judge
