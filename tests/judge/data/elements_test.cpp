// Walks over compared elements, and work spread over blocks.
#include "tool/judge/data/elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/judge/data/data_fixtures.h"
#include "tool/judge/data/parallel_blocks.h"

namespace hone::judge {
namespace {
using testing::ElementsAre;
using testing::IsEmpty;
using Stretch = std::pair<std::size_t, std::size_t>;

std::vector<Stretch> stretches(const Array& array) {
  std::vector<Stretch> found;
  each_stretch(array, [&](std::size_t first, std::size_t count) { found.emplace_back(first, count); });
  return found;
}

TEST(Elements, AreOneStretchWhereAllAreCompared) {
  EXPECT_THAT(stretches({{{0, 3}, {0, 4}}, 12, 48}), ElementsAre(Stretch{0, 12}));
}

TEST(Elements, AreOneStretchPerRowWhereColumnsAreLeftOut) {
  EXPECT_THAT(stretches({{{1, 2}, {1, 3}}, 12, 48}), ElementsAre(Stretch{5, 3}, Stretch{9, 3}));
}

TEST(Elements, AreNoneOfEmptyArray) {
  EXPECT_THAT(stretches({{{0, 0}}, 0, 0}), IsEmpty());
  EXPECT_THAT(stretches({{{0, 3}, {2, 0}}, 6, 24}), IsEmpty());
}

TEST(Elements, AreScalarsOfOneField) {
  const Tolerance tolerance;
  const Array array = line(2, 16);
  const Comparison comparison{.element = point_element, .tolerance = tolerance, .array = array};
  std::vector<Stretch> found;
  each_scalar(comparison, point_element.fields[1],
              [&](std::size_t offset, std::size_t element) { found.emplace_back(offset, element); });
  EXPECT_THAT(found, ElementsAre(Stretch{8, 0}, Stretch{24, 1}));
}

TEST(ParallelBlocks, WorkOnEachBlockOnce) {
  std::vector<std::atomic<int>> times(100);
  for_blocks(times.size(), [&](std::size_t n) { ++times[n]; });
  for (const auto& one : times) EXPECT_EQ(one, 1);
}

TEST(ParallelBlocks, CoverAllElementsWithoutOverlap) {
  constexpr std::size_t count = 3 * block_bytes / 8 + 5;
  std::vector<int> times(count);
  for_stretches(count, 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ++times[i];
  });
  EXPECT_EQ(std::accumulate(times.begin(), times.end(), std::size_t{0}), count);
  EXPECT_EQ(*std::ranges::max_element(times), 1);
}

TEST(ParallelBlocks, FindDifferenceInLastByte) {
  std::vector<std::byte> a(2 * block_bytes + 3), b = a;
  EXPECT_TRUE(equal_bytes(a.data(), b.data(), a.size()));
  b.back() = std::byte{1};
  EXPECT_FALSE(equal_bytes(a.data(), b.data(), a.size()));
  EXPECT_TRUE(equal_bytes(a.data(), b.data(), a.size() - 1));
}

}  // namespace
}  // namespace hone::judge
