// Verification from cases to finding, on fakes: each fault is found, and what is right is accepted.
#include "tool/judge/verify/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/judge/verify/fake_verification.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;

// The reason of what is found; "": nothing.
std::string verify(FakeKernel candidate, bundle::Task task = bundle::Task::candidate) {
  FakeVerification verification{.spec = fake_spec(2), .sizes = {1000, 300}, .candidate = std::move(candidate)};
  verification.plan.task = task;
  ProcessorGround ground;
  return verification.run(ground);
}

TEST(Verifier, AcceptsRightCandidate) {
  EXPECT_EQ(verify(right), "");
}

TEST(Verifier, AcceptsRightOriginal) {
  EXPECT_EQ(verify(right, bundle::Task::reference), "");
}

TEST(Verifier, RefusesOriginalThatDiffersBetweenProcesses) {
  const auto shifted = [](const FakeCall& call) {
    const auto took = right(call);
    if (call.n > 5) call.y[5] += 1;
    return took;
  };
  EXPECT_THAT(verify(shifted, bundle::Task::reference), HasSubstr("the original is not deterministic"));
}

struct Lie {
  const char* name;
  FakeKernel kernel;
  const char* reason;  // part of it
};
void PrintTo(const Lie& lie, std::ostream* out) {
  *out << lie.name;
}

class VerifierRefuses : public testing::TestWithParam<Lie> {};

TEST_P(VerifierRefuses, Candidate) {
  EXPECT_THAT(verify(GetParam().kernel), HasSubstr(GetParam().reason));
}

const Lie lies[] = {
    {"WrongElement",
     [](const FakeCall& call) {
       const auto took = right(call);
       if (call.n > 2) call.y[2] += 1;
       return took;
     },
     "y[2] is"},
    {"WrongElementOnOneSize",
     [](const FakeCall& call) {
       const auto took = right(call);
       if (call.n == 300) call.y[299] += 1;
       return took;
     },
     "y[299] is"},
    {"WrongElementOnSmallestSize",
     [](const FakeCall& call) {
       const auto took = right(call);
       if (call.n == 1) call.y[0] += 1;
       return took;
     },
     "y[0] is"},
    {"WrongElementFromSecondCallOn",
     [](const FakeCall& call) {
       const auto took = right(call);
       if (call.number > 0 && call.n > 0) call.y[0] += 1;
       return took;
     },
     "y[0]"},
    {"WrongElementEveryOtherCall",
     [](const FakeCall& call) {
       const auto took = right(call);
       if (call.number % 2 == 1 && call.n > 0) call.y[0] += 1;
       return took;
     },
     "y[0]"},
    {"ElementLeftOut",
     [](const FakeCall& call) {
       FakeCall shorter = call;
       shorter.n = call.n - call.n % 4;
       return right(shorter);
     },
     "was not written"},
    {"WriteBehindItsArray",
     [](const FakeCall& call) {
       const auto took = right(call);
       if (call.n == 1000) call.y[1000] = 1;
       return took;
     },
     "one element past the end of y"},
    {"ReadOfItsOutput",
     [](const FakeCall& call) {
       const bool was_nan = call.n > 0 && call.y[0] != call.y[0];
       const auto took = right(call);
       if (was_nan) call.y[0] = 3;
       return took;
     },
     "what outputs held before"},
    {"Crash",
     [](const FakeCall& call) -> RunnerAnswer<double> {
       if (call.n < 300) return right(call);
       return tl::unexpected(RunnerFailure{.fault = {.signal = SIGSEGV}});
     },
     "crashed: SIGSEGV"},
    {"CallThatNeverComesBack",
     [](const FakeCall& call) -> RunnerAnswer<double> { return call.n < 300 ? right(call) : 1e9; },
     "did not end within"},
};

INSTANTIATE_TEST_SUITE_P(Verifier, VerifierRefuses, testing::ValuesIn(lies),
                         [](const auto& lie) { return std::string(lie.param.name); });

// Of a large one parts are compared while it is timed, which have no scale of their own; of a small one the whole.
TEST(Verifier, KnowsScaleOfLargeTimedOutputAlone) {
  FakeVerification verification{.spec = fake_spec(2), .sizes = {2 << 20, 1000}};
  FakeGround ground;
  verification.with_verifier(ground, [](Verifier& verifier, const std::vector<Case>& declared) {
    const auto large = verifier.scales(declared[0]), small = verifier.scales(declared[1]);
    ASSERT_TRUE(large && small);
    ASSERT_EQ(large->size(), 4u) << "a parameter each, and the result";
    ASSERT_EQ((*large)[1].size(), 1u);
    EXPECT_GT((*large)[1][0], 0);
    EXPECT_TRUE(small->empty());
  });
}

}  // namespace
}  // namespace hone::judge
