// What the original computed in double excuses, and what it does not.
#include "tool/judge/verify/double_reference.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"
#include "tool/judge/verify/case_judge.h"

namespace hone::judge {
namespace {

// Twice each element, off by so much; in the type that the wide original computes in, or in float.
template <class T>
FakeKernel doubling(double off) {
  return [off](const FakeCall& call) -> RunnerAnswer<double> {
    const T* x = reinterpret_cast<const T*>(call.x);
    T* y = reinterpret_cast<T*>(call.y);
    for (int i = 0; i < call.n; ++i) y[i] = static_cast<T>(2 * static_cast<double>(x[i]) * (1 + off));
    return 1e-5;
  };
}

// Is the candidate accepted, whose original is off by so much, and which is off by so much itself?
bool accepts(double original, double candidate, bool has_truth) {
  FakeClock clock;
  FakeGround ground;
  const std::vector<int> sizes{1000};
  const KernelSpec spec = fake_spec(1);
  KernelSpec wide = spec;
  const ElementType real{"double", 8, 8, {{"", {ScalarKind::floating, 8}, 0, 1}}};
  wide.parameters[0].element = wide.parameters[1].element = real;
  DoubleReference precision(spec, wide, clock, ground, [&]() -> Result<std::unique_ptr<Subject>> {
    return std::make_unique<FakeSubject>(clock, sizes, doubling<double>(0));
  });
  const bundle::Plan plan{.seed = 7, .memory_bytes = 1u << 30};
  FakeSubject reference(clock, sizes, doubling<float>(original)), second(clock, sizes, doubling<float>(candidate));
  const Case declared = make_case(spec, reference, 0, 1, {}, plan.memory_bytes).value();
  CaseRuns runs({.kernel = spec,
                 .spec = spec,
                 .plan = plan,
                 .reference = reference,
                 .second = second,
                 .clock = clock,
                 .ground = ground,
                 .double_reference = has_truth ? &precision : nullptr});
  const auto found = CaseJudge(runs).judge(declared, {});
  EXPECT_TRUE(found) << found.error().message();
  return found && !*found;
}

TEST(DoubleReference, ExcusesCandidateThatIsMoreExactThanOriginal) {
  EXPECT_FALSE(accepts(3e-4, 0, false));
  EXPECT_TRUE(accepts(3e-4, 0, true));
}

TEST(DoubleReference, DoesNotExcuseCandidateThatIsLessExactThanOriginal) {
  EXPECT_FALSE(accepts(3e-4, -6e-4, true));
  EXPECT_FALSE(accepts(0, 3e-4, true));
}

TEST(DoubleReference, StartsAgainAfterRest) {
  FakeClock clock;
  FakeGround ground;
  const KernelSpec spec = fake_spec(1);
  unsigned starts = 0;
  DoubleReference precision(spec, spec, clock, ground, [&]() -> Result<std::unique_ptr<Subject>> {
    ++starts;
    return std::make_unique<FakeSubject>(clock, std::vector<int>{1000}, right);
  });
  FakeSubject original(clock, {1000}, right);
  const Case declared = make_case(spec, original, 0, 1, {}, 1u << 30).value();
  for (const unsigned expected : {1u, 1u, 2u}) {
    if (expected == 2) precision.rest();
    const auto truth = precision.truth(declared, 10, 7);
    ASSERT_TRUE(truth && *truth);
    EXPECT_EQ(starts, expected);
  }
}

}  // namespace
}  // namespace hone::judge
