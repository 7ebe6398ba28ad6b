// Other values for scalars that are no sizes.
#include "tool/judge/data/scalar_plan.h"

#include <gtest/gtest.h>

#include <set>

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

}  // namespace
}  // namespace hone::judge
