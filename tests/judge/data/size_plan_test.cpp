// Sizes beyond the declared: every residue, large ones, constants of the source.
#include "tool/judge/data/size_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/judge/data/data_fixtures.h"

namespace hone::judge {
namespace {

TEST(SizePlan, CoversEveryResidueModulo64) {
  const Plans plans;
  for (const bool tied : {false, true}) {
    std::set<long long> residues_of[2];
    bool different = false;
    for (const OtherSizes& size : residue_sizes(plans.spec, plans.declared, plans.sizes, tied, 7)) {
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
    EXPECT_NEAR(large.longest, std::max(1.0, static_cast<double>(std::max(n, m)) / 1e3), 1e-6);
  }
  for (const long long size : largest) EXPECT_GT(size, 16000);
  EXPECT_TRUE(crossed);
}

TEST(SizePlan, PutsSizesBeyondBlocksFirst) {
  const Plans plans;
  const std::vector<LargeSize> sizes = large_sizes(plans.spec, plans.declared, plans.sizes, {}, 7);
  long long largest[2] = {};
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    EXPECT_EQ(sizes[n].first, n < 4) << n;
    for (const unsigned i : {0u, 1u})
      if (sizes[n].first) largest[i] = std::max(largest[i], sizes[n].size.overrides[i].value);
  }
  EXPECT_TRUE(largest[0] > 65536 && largest[1] > 65536);
}

// A width, what is no less than it, and a size that is declared equal to the width.
TEST(SizePlan, KeepsDeclaredOrderInSizesThatComeFirst) {
  Plans plans;
  plans.spec.parameters.push_back({.name = "stride", .element = int_element});
  plans.spec.problems[0].assigned = {0, 1, 3};
  plans.declared.scalars.resize(4);
  set_integer(int_element.fields[0].type, plans.declared.scalars[3], 1200);
  std::size_t first = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const LargeSize& large : large_sizes(plans.spec, plans.declared, {true, true, false, true}, {}, seed)) {
      if (!large.first) continue;
      const long long n = large.size.overrides[0].value, m = large.size.overrides[1].value,
                      stride = large.size.overrides[2].value, largest = std::max({n, m, stride});
      EXPECT_GT(largest, 1024);
      EXPECT_TRUE(n == m || largest == n || largest == m) << n << " and " << m;
      EXPECT_TRUE(n == largest || n <= stride) << n << " and " << stride;
      EXPECT_TRUE(m == largest || m <= stride) << m << " and " << stride;
      ++first;
    }
  EXPECT_EQ(first, 20u * 6);
}

TEST(SizePlan, PutsSizesBeyondSharedMemoryFirstOnDevice) {
  Plans plans;
  plans.spec.cuda = true;
  bool beyond[2] = {};
  for (const LargeSize& large : large_sizes(plans.spec, plans.declared, plans.sizes, {}, 7))
    for (const unsigned i : {0u, 1u}) {
      const long long bytes = 4 * large.size.overrides[i].value;
      beyond[i] |= large.first && bytes > 48 << 10 && bytes < 64 << 10;
    }
  EXPECT_TRUE(beyond[0] && beyond[1]);
}

TEST(SizePlan, MakesOnlySizeVast) {
  Plans plans;
  const auto vast = vast_size(plans.spec, plans.declared, {true, false, false}, 1 << 23, 7);
  ASSERT_TRUE(vast);
  ASSERT_EQ(vast->size.overrides.size(), 1u);
  EXPECT_GT(vast->size.overrides[0].value, 1 << 23);
  EXPECT_GT(vast->work, 8388);
  EXPECT_FALSE(vast_size(plans.spec, plans.declared, plans.sizes, 1 << 23, 7));  // two of them
  EXPECT_FALSE(vast_size(plans.spec, plans.declared, {true, false, false}, 999, 7));
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
  for (const OtherSizes& size : crowded_sizes(plans.spec, plans.declared, {true, true, false, false}, {}, 7)) {
    const long long n = size.overrides[0].value, m = size.overrides[1].value;
    wide |= n > 65536 && m < 16;
    high |= m > 65536 && n < 16;
    square |= n == m && n > 256;
    longest |= size.overrides.size() == 3 && size.overrides[2].parameter == 3 && size.overrides[2].value > 65536;
  }
  EXPECT_TRUE(wide && high && square && longest);
}

TEST(SizePlan, MakesSmallSizesLongerThanAVector) {
  Plans plans;
  set_integer(int_element.fields[0].type, plans.declared.scalars[1], 7);
  const auto list = crowded_sizes(plans.spec, plans.declared, {true, true, false}, {}, 7);
  EXPECT_TRUE(std::ranges::any_of(list, [](const OtherSizes& size) {
    return size.overrides.size() == 2 && size.overrides[0].value >= 1024 && size.overrides[1].parameter == 1 &&
           size.overrides[1].value >= 17;
  }));
}

}  // namespace
}  // namespace hone::judge
