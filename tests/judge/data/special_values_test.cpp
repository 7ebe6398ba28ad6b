// What an original with special values promises.
#include "tool/judge/data/special_values.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>

#include "tests/judge/data/data_fixtures.h"

namespace hone::judge {
namespace {

TEST(SpecialValues, AcceptsOtherInfinityOnlyIfOriginalIsAmbiguous) {
  const auto may_be = [](Special kind, double expected, double got, std::optional<double> truth = {},
                         std::optional<double> flipped = {}) {
    return may_be_another(kind, {.expected = expected, .got = got, .allowed = 1e-5, .rtol = 1e-5},
                          {.truth = truth, .flipped = flipped}, FLT_MAX);
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

TEST(SpecialValues, AcceptsNumberThatIsNearerToTheTruth) {
  const auto may_be = [](double expected, double got, std::optional<double> truth) {
    const ErrorAt at{.expected = expected, .got = got, .allowed = 0.1, .rtol = 1e-5};
    return may_be_another(Special::small, at, {.truth = truth}, FLT_MAX);
  };
  EXPECT_TRUE(may_be(1000, 1002, 1001.5));
  EXPECT_TRUE(may_be(1000, 1001.5, 1001.45));
  EXPECT_FALSE(may_be(1000, 1004, 1001.5));
  EXPECT_FALSE(may_be(1000, 1002, {}));
  EXPECT_FALSE(may_be(1000, NAN, 1001.5));
  EXPECT_FALSE(may_be(1000, 5, INFINITY));
  EXPECT_FALSE(may_be(1000, 5, NAN));
}

TEST(SpecialValues, AcceptsOverflowOnlyAtTheEdgeOfTheRange) {
  const auto may_overflow = [](Special kind, double expected, double got) {
    return may_be_another(kind, {.expected = expected, .got = got, .allowed = 1e-5, .rtol = 1e-5}, {}, FLT_MAX);
  };
  EXPECT_TRUE(may_overflow(Special::largest, 1e38, INFINITY));
  EXPECT_FALSE(may_overflow(Special::largest, 1e38, -INFINITY));
  EXPECT_TRUE(may_overflow(Special::largest, 1e38, NAN));  // two partial sums of either sign overflowed
  EXPECT_FALSE(may_overflow(Special::largest, 1e30, INFINITY));
  EXPECT_FALSE(may_overflow(Special::square_overflows, 1e38, INFINITY));
}

TEST(SpecialValues, AcceptsWhatTheOriginalsOwnRoundingDecides) {
  const auto may_be = [](double got, double up, double down) {
    const ErrorAt at{.expected = 1000, .got = got, .allowed = 0.1, .rtol = 1e-5};
    return may_be_another(Special::huge, at, {.up = up, .down = down}, FLT_MAX);
  };
  EXPECT_TRUE(may_be(0, 1e5, 1000));
  EXPECT_TRUE(may_be(1003, 1001, 1000));
  EXPECT_FALSE(may_be(1005, 1001, 1000));
  EXPECT_FALSE(may_be(1005, 1000, 1000));
  EXPECT_FALSE(may_be(NAN, 1001, 999));
  EXPECT_TRUE(may_be(NAN, INFINITY, 1000));
  EXPECT_FALSE(may_be(5, INFINITY, 1000));
}

TEST(SpecialValues, AcceptsNoNumberWhereALargerValueHasNone) {
  const auto may_be = [](double got, double farther) {
    const ErrorAt at{.expected = 1000, .got = got, .allowed = 0.1, .rtol = 1e-5};
    return may_be_another(Special::square_overflows, at, {.farther = farther}, FLT_MAX);
  };
  EXPECT_TRUE(may_be(INFINITY, INFINITY));
  EXPECT_TRUE(may_be(NAN, INFINITY));
  EXPECT_FALSE(may_be(INFINITY, 1e5));
  EXPECT_FALSE(may_be(5, INFINITY));
}

}  // namespace
}  // namespace hone::judge
