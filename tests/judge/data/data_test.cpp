// Drawing, laying out and comparing: the parts of verification that need no process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <numeric>
#include <set>

#include "tool/judge/bench/failure_text.h"
#include "tool/judge/data/comparison.h"
#include "tool/judge/data/input_data.h"
#include "tool/judge/data/layout.h"
#include "tool/judge/data/npy.h"
#include "tool/judge/data/other_sizes.h"
#include "tool/judge/data/scalar.h"
#include "tool/judge/data/size_plan.h"
#include "tool/judge/data/special_values.h"
#include "tool/os/files/files.h"

namespace hone::judge {
namespace {

const ElementType float_element{"float", 4, 4, {{"", {ScalarKind::floating, 4}, 0, 1}}};
const ElementType double_element{"double", 8, 8, {{"", {ScalarKind::floating, 8}, 0, 1}}};
const ElementType int_element{"int", 4, 4, {{"", {ScalarKind::signed_integer, 4}, 0, 1}}};
const ElementType byte_element{"unsigned char", 1, 1, {{"", {ScalarKind::unsigned_integer, 1}, 0, 1}}};
const ElementType point_element{
    "Point",
    16,
    8,
    {{"value", {ScalarKind::floating, 8}, 0, 1}, {"id", {ScalarKind::signed_integer, 4}, 8, 1}}};  // 4 of padding

Array line(std::size_t n, std::size_t size) {
  return {{{0, static_cast<long long>(n)}}, n, n * size};
}

template <class T>
std::vector<T> draw(const ElementType& element, std::size_t n, std::optional<Init> init = {},
                    std::vector<double> arguments = {}, Sprinkling special = {}) {
  Case c{.seed = 11, .special = special};
  c.arrays = {line(n, element.size)};
  c.values.reals = arguments;
  Parameter parameter{.name = "x", .pointer = true, .element = element, .init = std::move(init)};
  std::vector<T> data(n);
  EXPECT_TRUE(check_draw(parameter, c, 0));
  draw_array(parameter, c, 0, reinterpret_cast<std::byte*>(data.data()));
  return data;
}

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

template <class T>
std::vector<T> patterned(const ElementType& element, Pattern pattern, std::size_t n, std::optional<Init> init = {}) {
  Case c{.seed = 11, .pattern = std::move(pattern)};
  c.arrays = {line(n, element.size)};
  c.values.reals = {2, 7};
  const Parameter parameter{.name = "x", .pointer = true, .element = element, .init = std::move(init)};
  std::vector<T> data(n);
  draw_array(parameter, c, 0, reinterpret_cast<std::byte*>(data.data()));
  return data;
}

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
  for (const PatternKind kind : {PatternKind::few, PatternKind::equal, PatternKind::runs, PatternKind::ascending,
                                 PatternKind::one_fault, PatternKind::constants, PatternKind::exact,
                                 PatternKind::magnitudes, PatternKind::denormals, PatternKind::signed_zeros})
    for (const double v : patterned<double>(double_element, {.kind = kind, .constants = {0, 3, 7}}, 200, uniform))
      ASSERT_TRUE(v >= 2 && v < 7) << static_cast<int>(kind) << ": " << v;
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

TEST(SpecialValues, AcceptsOtherInfinityOnlyIfOriginalIsAmbiguous) {
  const auto may_be = [](Special kind, double expected, double got, std::optional<double> truth = {},
                         std::optional<double> flipped = {}) {
    return may_be_another(kind, {.expected = expected, .got = got, .allowed = 1e-5, .rtol = 1e-5}, truth, flipped);
  };
  EXPECT_FALSE(may_be(Special::infinite, INFINITY, NAN, INFINITY));
  EXPECT_FALSE(may_be(Special::infinite, INFINITY, -INFINITY));
  EXPECT_TRUE(may_be(Special::small, INFINITY, -INFINITY, {}, -INFINITY));
  EXPECT_FALSE(may_be(Special::small, INFINITY, -INFINITY, {}, INFINITY));
  EXPECT_TRUE(may_be(Special::exponential_overflows, INFINITY, 100, 100));
  EXPECT_FALSE(may_be(Special::exponential_overflows, INFINITY, 99, 100));
  EXPECT_TRUE(may_be(Special::huge, INFINITY, NAN, 5));
  EXPECT_FALSE(may_be(Special::huge, INFINITY, -INFINITY));
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
    for (unsigned i = 0; i < 50; ++i) mutate_array(parameter, c, 0, bytes, 8, i);
    EXPECT_NE(data, before);
    if (distribution == Distribution::index)
      EXPECT_TRUE(std::ranges::all_of(data, [](int v) { return v >= 2 && v < 7; }));
    if (distribution == Distribution::sorted) EXPECT_TRUE(std::ranges::is_sorted(data));
    if (distribution == Distribution::permutation) EXPECT_EQ(std::set<int>(data.begin(), data.end()).size(), 500u);
  }
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& data) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize((header.size() + 10 + 63) / 64 * 64 - 10, ' ');
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size() & 255) +
         static_cast<char>(header.size() >> 8) + header + data;
}

TEST(Npy, ReadsTypeAndShape) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const auto array =
      parse_npy(npy("<f4", "(2, 3)", std::string(reinterpret_cast<const char*>(values), sizeof values)), "x.npy");
  ASSERT_TRUE(array) << array.error().message();
  EXPECT_EQ(array->elements, 6u);
  EXPECT_EQ(array->type, (ScalarType{ScalarKind::floating, 4}));
  EXPECT_EQ(std::memcmp(array->data.data(), values, sizeof values), 0);
}

TEST(Npy, RejectsTruncatedAndUnsupportedFiles) {
  EXPECT_FALSE(parse_npy(npy("<f4", "(7,)", std::string(24, 'x')), "x"));
  EXPECT_FALSE(parse_npy(npy(">f4", "(1,)", std::string(4, 'x')), "x"));
  EXPECT_FALSE(parse_npy(npy("<c8", "(1,)", std::string(8, 'x')), "x"));
  EXPECT_FALSE(parse_npy(npy("<f8", "(4294967296, 4294967296)", ""), "x"));
  EXPECT_FALSE(parse_npy("", "x"));
  const std::string whole = npy("<f4", "(3,)", std::string(12, 'x'));
  for (std::size_t n = 0; n < whole.size(); ++n) ASSERT_FALSE(parse_npy(whole.substr(0, n), "x"));
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

TEST(Layout, NamesElementsAsInSource) {
  const Parameter parameter{.name = "A", .pointer = true, .element = float_element};
  const Array matrix{{{0, 3}, {0, 4}}, 12, 48};
  EXPECT_EQ(element_name(parameter, matrix, 7), "A[1][3]");
  EXPECT_EQ(element_name(parameter, matrix, -1), "A[-1]");
  EXPECT_EQ(element_name(parameter, line(9, 4), 8, "pos.x"), "A[8].pos.x");
  EXPECT_EQ(distance_from(parameter, matrix, 13), "2 elements past the end of A");
  EXPECT_EQ(distance_from(parameter, matrix, -1), "one element before the start of A");
}

TEST(OtherSizes, IncludeZeroOneAndOddSizes) {
  KernelSpec spec;
  spec.parameters = {{.name = "n", .element = int_element},
                     {.name = "m", .element = int_element},
                     {.name = "radius", .element = int_element}};
  spec.problems = {{{0, 1, 2}, 1}};
  std::vector<runner::Scalar> scalars(3);
  set_integer(int_element.fields[0].type, scalars[0], 1000);
  set_integer(int_element.fields[0].type, scalars[1], 1000);
  set_integer(int_element.fields[0].type, scalars[2], 2);
  std::set<long long> sizes;
  bool different = false;
  for (const Perturbation& p : perturbations(spec, {scalars}, 18, 5)) {
    sizes.insert(p.overrides[0].value);
    different |= p.overrides[0].value != p.overrides[1].value;
    EXPECT_LE(p.overrides[2].value, 4);
  }
  EXPECT_TRUE(sizes.contains(0) && sizes.contains(1) && sizes.contains(17)) << sizes.size();
  EXPECT_TRUE(different);
  EXPECT_EQ(neighbours(spec, scalars, 0, 1)[1].overrides[0].value, 1001);
}

// n and m of 1000, alpha of 2.5; x[0:n][0:m].
struct Plans {
  Plans() {
    spec.parameters = {{.name = "n", .element = int_element},
                       {.name = "m", .element = int_element},
                       {.name = "alpha", .element = float_element}};
    spec.problems = {{{0, 1, 2}, 1}};
    declared.scalars.resize(3);
    for (const unsigned i : {0u, 1u}) set_integer(int_element.fields[0].type, declared.scalars[i], 1000);
    set_real(float_element.fields[0].type, declared.scalars[2], 2.5);
  }
  KernelSpec spec;
  Case declared;
  const Sizes sizes{true, true, false};
};

TEST(SizePlan, CoversEveryResidueModulo64) {
  const Plans plans;
  for (const bool tied : {false, true}) {
    std::set<long long> residues_of[2];
    bool different = false;
    for (const Perturbation& size : residue_sizes(plans.spec, plans.declared, plans.sizes, tied, 7)) {
      for (const unsigned i : {0u, 1u}) residues_of[i].insert(size.overrides[i].value % 64);
      different |= size.overrides[0].value != size.overrides[1].value;
    }
    for (const auto& found : residues_of) EXPECT_EQ(found.size(), 64u);
    EXPECT_EQ(different, !tied);
  }
}

TEST(SizePlan, MakesOneDimensionLargeAndOthersSmall) {
  const Plans plans;
  long long largest[2] = {};
  bool crossed = false;
  for (const LargeSize& large : large_sizes(plans.spec, plans.declared, plans.sizes, {5552}, 7)) {
    const long long n = large.size.overrides[0].value, m = large.size.overrides[1].value;
    largest[0] = std::max(largest[0], n), largest[1] = std::max(largest[1], m);
    crossed |= n > 512 && m < 16;
    EXPECT_NEAR(large.work, static_cast<double>(n) * static_cast<double>(m) / 1e6, 1e-6);
  }
  for (const long long size : largest) EXPECT_GT(size, 16000);
  EXPECT_TRUE(crossed);
}

TEST(SizePlan, IncludesSizesAtAndPastSourceConstants) {
  const Plans plans;
  std::set<long long> sizes;
  for (const LargeSize& large : large_sizes(plans.spec, plans.declared, plans.sizes, {3, 5552, 1LL << 30}, 7))
    for (const Override& one : large.size.overrides) sizes.insert(one.value);
  EXPECT_TRUE(sizes.contains(5552) && sizes.contains(5553));
  EXPECT_FALSE(sizes.contains(1LL << 30));
}

TEST(SizePlan, MakesDimensionsAndOtherIntegersLargeTogether) {
  Plans plans;
  plans.spec.parameters.push_back({.name = "longest", .element = int_element});
  plans.spec.problems[0].assigned.push_back(3);
  plans.declared.scalars.resize(4);
  bool wide = false, high = false, square = false, longest = false;
  for (const Perturbation& size : crowded_sizes(plans.spec, plans.declared, {true, true, false, false}, {}, 7)) {
    const long long n = size.overrides[0].value, m = size.overrides[1].value;
    wide |= n > 65536 && m < 16;
    high |= m > 65536 && n < 16;
    square |= n == m && n > 256;
    longest |= size.overrides.size() == 3 && size.overrides[2].parameter == 3 && size.overrides[2].value > 65536;
  }
  EXPECT_TRUE(wide && high && square && longest);
}

TEST(ScalarPlan, VariesRealsButNotSizesOrFixedScalars) {
  Plans plans;
  std::set<double> values;
  for (const auto& others : other_scalars(plans.spec, plans.declared, plans.sizes, Reach::far, 3))
    for (const Override& other : others) {
      EXPECT_EQ(other.parameter, 2u);
      values.insert(other.real);
    }
  for (const double value : {0.0, 1.0, -1.0}) EXPECT_TRUE(values.contains(value)) << value;
  EXPECT_LT(*values.begin(), -1);
  EXPECT_GT(*values.rbegin(), 1000);
  EXPECT_FALSE(values.contains(2.5));
  plans.spec.parameters[2].fixed = true;
  EXPECT_TRUE(other_scalars(plans.spec, plans.declared, plans.sizes, Reach::far, 3).empty());
}

TEST(Layout, MisalignsByWholeElementsAndGivesEmptyArraysNoPage) {
  KernelSpec spec;
  spec.parameters = {{.name = "x", .pointer = true, .element = float_element, .extent = {{}}},
                     {.name = "y", .pointer = true, .element = float_element, .role = Role::out, .extent = {{}}},
                     {.name = "z", .pointer = true, .element = float_element, .extent = {{}}}};
  Case c{.seed = 4};
  c.arrays = {line(1024, 4), line(1024, 4), line(0, 4)};
  const Layout layout = lay_out(spec, c, {});
  for (const unsigned i : {0u, 1u}) {
    const Place& place = layout.places[i];
    EXPECT_EQ((place.at(Ends::askew) - place.offset) % 8, 4u);
    EXPECT_EQ(place.at(Ends::start), place.offset);
    EXPECT_EQ(place.at(Ends::end) + place.bytes, place.offset + place.length);
    EXPECT_LE(place.at(Ends::askew) + place.bytes, place.offset + place.length);
  }
  EXPECT_EQ(layout.regions[2].length, 0u);
  EXPECT_EQ(layout.places[2].at(Ends::askew), layout.places[2].offset);
  EXPECT_EQ(layout.places[0].at(Ends::askew_inputs), layout.places[0].at(Ends::askew));
  EXPECT_EQ(layout.places[0].at(Ends::askew_outputs), layout.places[0].at(Ends::start));
  EXPECT_EQ(layout.places[1].at(Ends::askew_outputs), layout.places[1].at(Ends::askew));
  EXPECT_EQ(layout.places[1].at(Ends::askew_inputs), layout.places[1].at(Ends::start));
}

TEST(FailureText, DistinguishesMisalignedAccessFromNullPointer) {
  RunnerFailure failure{.kind = RunnerFailure::Kind::crashed};
  failure.fault = {.signal = 11, .code = 1, .address = 0, .write = 0};
  EXPECT_THAT(describe(failure), ::testing::HasSubstr("through a null pointer"));
#if defined(__x86_64__)
  failure.fault.code = 0x80;  // SI_KERNEL
  EXPECT_THAT(describe(failure), ::testing::HasSubstr("a misaligned access"));
#endif
}

TEST(FailureText, ShortensSanitizerReports) {
  EXPECT_EQ(sanitizer_summary("/src/k.cpp:7:12: runtime error: signed integer overflow: 2147483647 + 1 cannot be "
                              "represented in type 'int'\n"),
            "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int' at /src/k.cpp:7:12");
  EXPECT_EQ(sanitizer_summary(
                "=================\n==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2\n"
                "READ of size 4 at 0x1 thread T0\n    #0 0x7f in kernel(float const*, int) /src/k.cpp:9\n"
                "    #1 0x7e in main runner.cpp:2\n"),
            "heap-buffer-overflow reading 4 bytes at /src/k.cpp:9");
  EXPECT_EQ(sanitizer_summary(
                "==================\nWARNING: ThreadSanitizer: data race (pid=2)\n"
                "  Write of size 4 at 0x7b04 by thread T1:\n"
                "    #0 std::vector<float>::push_back(float) /usr/include/c++/12/bits/vector.tcc:117 (4+0x11ab)\n"
                "    #1 operator() candidate:14 (4+0x12ab)\n    #2 <null> <null> (libstdc++.so.6+0xd44a2)\n\n"
                "  Previous atomic read of size 4 at 0x7b04 by main thread (mutexes: write M1):\n"
                "    #0 kernel(float const*, float*, int) /src/k.cpp:9 (4+0x13cd)\n\n"
                "  Location is heap block of size 80\n    #0 posix_memalign ../src/tsan.cpp:88 (libtsan.so.2+0x1)\n"),
            "data race: one thread writes 4 bytes at candidate:14, another reads 4 bytes at /src/k.cpp:9");
  EXPECT_EQ(
      sanitizer_summary("==12==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x7f in " +
                        std::string(60'000, 'f') + " /tmp/a:1\n    #1 0x7e in g /tmp/hone-compile-x/candidate:2\n"),
      "SEGV at candidate:2");
  EXPECT_EQ(sanitizer_summary("nothing of note"), "");
}

}  // namespace
}  // namespace hone::judge
