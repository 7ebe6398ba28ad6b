// The processors' tools on fakes: whom their findings are held against, and what is said where they cannot be used.
#include "tool/judge/processor_inspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"

namespace hone::judge {
namespace {
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

RunnerAnswer<double> crashing(const FakeCall& call) {
  if (call.n > 3) return tl::unexpected(RunnerFailure{.fault = {.signal = SIGSEGV}});
  return right(call);
}

struct InspectionOnFakes : testing::Test {
  InspectionOnFakes() {
    const KernelSpec spec = fake_spec(1);
    bundle.kernel = spec;
    bundle.data = spec;
    bundle.plan = {.seed = 7, .memory_bytes = 1u << 30};
    bundle.sanitized_reference = "original";
    bundle.sanitized_candidate = "candidate";
  }

  Inspected inspect() {
    FakeSubject reference(clock, {200}, right), second(clock, {200}, right);
    std::vector<Case> declared{make_case(bundle.data, reference, 0, 1, {}, 1u << 30).value()};
    Verifier verifier({.kernel = bundle.kernel,
                       .spec = bundle.data,
                       .plan = bundle.plan,
                       .reference = reference,
                       .second = second,
                       .clock = clock,
                       .ground = ground},
                      declared);
    EXPECT_TRUE(verifier.verify_candidate());
    ProcessorInspection inspection(
        bundle, processors, "hone-runner",
        [&](const std::string& object, const SubjectNeeds& needs) -> Result<std::unique_ptr<Subject>> {
          EXPECT_EQ(needs.sanitizers, Sanitizers::memory);
          auto subject = std::make_unique<FakeSubject>(clock, std::vector<int>{200}, kernels.at(object));
          subject->loads = loads.at(object);
          return subject;
        });
    const auto inspected = inspection.look_for_errors({verifier, second, 1u << 20});
    EXPECT_TRUE(inspected) << inspected.error().message();
    return inspected.value_or(Inspected());
  }

  FakeClock clock;
  FakeGround ground;
  const Processors processors;
  bundle::Bundle bundle;
  std::map<std::string, FakeKernel> kernels{{"original", right}, {"candidate", right}};
  std::map<std::string, bool> loads{{"original", true}, {"candidate", true}};
};

TEST_F(InspectionOnFakes, FindsNothingInCleanCandidate) {
  const Inspected inspected = inspect();
  EXPECT_FALSE(inspected.finding);
  EXPECT_THAT(inspected.tried.checks, Contains("AddressSanitizer and UndefinedBehaviorSanitizer"));
}

TEST_F(InspectionOnFakes, BlamesCandidateThatFailsUnderSanitizers) {
  kernels["candidate"] = crashing;
  const Inspected inspected = inspect();
  ASSERT_TRUE(inspected.finding);
  EXPECT_THAT(inspected.finding->reason, StartsWith("under the sanitizers: crashed"));
}

TEST_F(InspectionOnFakes, ExcusesCandidateWhereOriginalFailsToo) {
  kernels["candidate"] = kernels["original"] = crashing;
  EXPECT_FALSE(inspect().finding);
}

TEST_F(InspectionOnFakes, BlamesCandidateThatDoesNotLoadWhereOriginalDoes) {
  loads["candidate"] = false;
  const Inspected inspected = inspect();
  ASSERT_TRUE(inspected.finding);
  EXPECT_THAT(inspected.finding->reason, StartsWith("under the sanitizers, where the original loads, it "));
}

TEST_F(InspectionOnFakes, SaysThatSanitizersCouldNotBeUsedIfNeitherLoads) {
  loads["candidate"] = loads["original"] = false;
  const Inspected inspected = inspect();
  EXPECT_FALSE(inspected.finding);
  EXPECT_THAT(inspected.unusable, StartsWith("the sanitizers could not be used: "));
  EXPECT_THAT(inspected.tried.not_tried, Contains(HasSubstr("memory errors: the sanitizers could not be used")));
}

TEST_F(InspectionOnFakes, SaysThatNothingWasCompiledForIt) {
  bundle.sanitized_candidate.clear();
  EXPECT_THAT(inspect().tried.not_tried, Contains("memory errors: nothing was compiled with AddressSanitizer"));
}

}  // namespace
}  // namespace hone::judge
