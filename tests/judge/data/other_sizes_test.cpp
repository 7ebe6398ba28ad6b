// Sizes around those that are declared.
#include "tool/judge/data/other_sizes.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/judge/data/data_fixtures.h"

namespace hone::judge {
namespace {

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
  for (const OtherSizes& p : other_sizes(spec, {scalars}, 18, 5)) {
    sizes.insert(p.overrides[0].value);
    different |= p.overrides[0].value != p.overrides[1].value;
    EXPECT_LE(p.overrides[2].value, 4);
  }
  EXPECT_TRUE(sizes.contains(0) && sizes.contains(1) && sizes.contains(17)) << sizes.size();
  EXPECT_TRUE(different);
  EXPECT_EQ(neighbors(spec, scalars, 0, 1)[1].overrides[0].value, 1001);
}

}  // namespace
}  // namespace hone::judge
