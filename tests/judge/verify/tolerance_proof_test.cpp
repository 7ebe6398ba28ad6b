// Whether tolerances could tell right from wrong, by what fakes compute.
#include "tool/judge/verify/tolerance_proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"
#include "tool/judge/verify/verifier.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;

std::string verify_original(FakeKernel kernel, const Tolerance& tolerance = {}) {
  FakeClock clock;
  FakeGround ground;
  const std::vector<int> sizes{1000};
  KernelSpec spec = fake_spec(1);
  spec.parameters[1].tolerance = tolerance;
  const bundle::Plan plan{.task = bundle::Task::reference, .seed = 7, .memory_bytes = 1u << 30};
  FakeSubject reference(clock, sizes, kernel), second(clock, sizes, kernel);
  std::vector<Case> declared{make_case(spec, reference, 0, 1, {}, plan.memory_bytes).value()};
  Verifier verifier({.kernel = spec,
                     .spec = spec,
                     .plan = plan,
                     .reference = reference,
                     .second = second,
                     .clock = clock,
                     .ground = ground},
                    declared);
  const auto found = verifier.verify_original();
  EXPECT_TRUE(found) << found.error().message();
  return found && *found ? (*found)->reason : "";
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

}  // namespace
}  // namespace hone::judge
