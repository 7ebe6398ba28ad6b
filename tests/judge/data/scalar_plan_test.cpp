// Other values for scalars that are no sizes.
#include "tool/judge/data/scalar_plan.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "tests/judge/data/data_fixtures.h"

namespace hone::judge {
namespace {

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

TEST(ScalarPlan, TriesEndsOfDescribedRange) {
  Plans plans;
  plans.spec.problems[0].assigned = {0, 1};
  plans.spec.parameters[2].init = Init{Distribution::uniform, {0, 1}, ""};
  plans.declared.values.reals = {-3, 8};
  std::set<double> values;
  for (const auto& others : other_scalars(plans.spec, plans.declared, plans.sizes, Reach::far, 3))
    for (const Override& other : others) values.insert(other.real);
  EXPECT_EQ(values, (std::set<double>{-3, 8}));
}

TEST(ScalarPlan, PutsAllDescribedScalarsAtOneEndTogether) {
  Plans plans;
  EXPECT_TRUE(scalar_corners(plans.spec, plans.declared, plans.sizes).empty());
  plans.spec.problems[0].assigned = {0, 1};
  plans.spec.parameters[2].init = Init{Distribution::uniform, {0, 1}, ""};
  plans.spec.parameters.push_back({.name = "bin", .element = int_element, .init = Init{Distribution::index, {2}, ""}});
  plans.declared.scalars.resize(4);
  plans.declared.values = {.integers = {-3, 8, 10}, .reals = {-3, 8, 10}};
  std::vector<std::pair<double, long long>> ends;  // of alpha, and of bin
  for (const auto& corner : scalar_corners(plans.spec, plans.declared, {true, true, false, false})) {
    ASSERT_EQ(corner.size(), 2u);
    EXPECT_TRUE(corner[0].parameter == 2 && corner[1].parameter == 3);
    ends.emplace_back(corner[0].real, corner[1].value);
  }
  EXPECT_EQ(ends, (std::vector<std::pair<double, long long>>{{8, 9}, {-3, 0}}));
}

}  // namespace
}  // namespace hone::judge
