// Whether tolerances could tell right from wrong, by what fakes compute.
#include "tool/judge/verify/tolerance_proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/verify/fake_verification.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;

std::string verify_original(FakeKernel kernel, const Tolerance& tolerance = {}, int size = 1000) {
  FakeVerification verification{.spec = fake_spec(1), .sizes = {size}, .original = kernel, .candidate = kernel};
  verification.spec.parameters[1].tolerance = tolerance;
  verification.plan.task = bundle::Task::reference;
  FakeGround ground;
  return verification.run(ground);
}

FakeKernel giving(float value) {
  return [value](const FakeCall& call) -> RunnerAnswer<double> {
    for (int i = 0; i < call.n; ++i) call.y[i] = value;
    return 1e-5;
  };
}

TEST(ToleranceProof, AcceptsDefaultTolerance) {
  EXPECT_EQ(verify_original([](const FakeCall& call) { return double_each(call); }), "");
}

TEST(ToleranceProof, RefusesOriginalWhoseOutputsAreAllZero) {
  EXPECT_THAT(verify_original(giving(0)), HasSubstr("every output is zero on all data drawn"));
}

// As a search for a word does: drawn letters do not hold it, and those that are all the same do.
TEST(ToleranceProof, AcceptsOriginalWhoseOutputsAreZeroButOnEqualElements) {
  const FakeKernel kernel = [](const FakeCall& call) -> RunnerAnswer<double> {
    bool equal = call.n > 2;
    for (int i = 1; i < call.n; ++i) equal = equal && call.x[i] == call.x[0];
    for (int i = 0; i < call.n; ++i) call.y[i] = equal ? 1 : 0;
    return 1e-5;
  };
  EXPECT_EQ(verify_original(kernel), "");
}

TEST(ToleranceProof, RefusesOriginalThatNeverGivesNumber) {
  EXPECT_THAT(verify_original(giving(NAN)), HasSubstr("y is not a number in any element"));
}

TEST(ToleranceProof, RefusesToleranceThatAcceptsZeros) {
  EXPECT_THAT(verify_original([](const FakeCall& call) { return double_each(call); }, {.rtol = 10}),
              HasSubstr("the tolerance of y would accept all zeros"));
}

TEST(ToleranceProof, RefusesToleranceThatAcceptsSlightErrors) {
  EXPECT_THAT(verify_original([](const FakeCall& call) { return double_each(call); }, {.rtol = 0.9}),
              HasSubstr("would accept"));
}

// Forgeries of a large array are tried on its first elements, which may be unlike the rest.
constexpr int large = 200'000;

FakeKernel giving_behind_head(float first) {
  return [first](const FakeCall& call) -> RunnerAnswer<double> {
    for (int i = 0; i < call.n; ++i) call.y[i] = i < 70'000 && call.n == large ? first : 2 * call.x[i];
    return 1e-5;
  };
}

TEST(ToleranceProof, RefusesWideToleranceOfLargeArray) {
  EXPECT_THAT(verify_original([](const FakeCall& call) { return double_each(call); }, {.rtol = 10}, large),
              HasSubstr("the tolerance of y would accept all zeros"));
}

TEST(ToleranceProof, AcceptsLargeArrayThatBeginsWithZeros) {
  EXPECT_EQ(verify_original(giving_behind_head(0), {}, large), "");
}

TEST(ToleranceProof, AcceptsLargeArrayThatBeginsWithoutNumbers) {
  EXPECT_EQ(verify_original(giving_behind_head(NAN), {}, large), "");
}

// At small sizes the outputs are so alike that a stale last element is within the tolerance.
TEST(ToleranceProof, TakesSlightErrorThatDeclaredProblemAloneShows) {
  const FakeKernel kernel = [](const FakeCall& call) -> RunnerAnswer<double> {
    for (int i = 0; i < call.n; ++i) call.y[i] = i % 2 == 0 ? 1 : call.n == large ? 3 : 1.05f;
    return 1e-5;
  };
  EXPECT_EQ(verify_original(kernel, {.rtol = 0.1}, large), "");
}

}  // namespace
}  // namespace hone::judge
