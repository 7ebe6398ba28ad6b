// What a run leaves in memory, and what of it the bench takes for a misdeed: in the machine's memory and in lent
// memory.
#include "tool/judge/bench/bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;

struct OnBench {
  explicit OnBench(FakeKernel kernel, FakeGround of = {})
      : ground(std::move(of)), subject(clock, {100}, std::move(kernel)) {}

  // The misdeed's sentence; "": none.
  std::string run(Bench::Side side = Bench::Side::candidate) {
    const Case c = make_case(spec, subject, 0, 1, {}, 1u << 30).value();
    EXPECT_TRUE(bench.set_up(c));
    const auto outcome = bench.run(subject, side, 10, 2);
    return outcome ? "" : outcome.error().sentence;
  }

  FakeClock clock;
  FakeGround ground;
  const KernelSpec spec = fake_spec(1);
  FakeSubject subject;
  Bench bench{spec, clock, ground};
};

FakeKernel writing_at(int index) {
  return [index](const FakeCall& call) {
    const auto took = double_each(call);
    call.y[index] = 1;
    return took;
  };
}

TEST(Bench, AcceptsCallThatWritesItsOutputsAlone) {
  EXPECT_EQ(OnBench([](const FakeCall& call) { return double_each(call); }).run(), "");
  EXPECT_EQ(OnBench([](const FakeCall& call) { return double_each(call); }, lending_ground()).run(), "");
}

TEST(Bench, FindsWritesBeforeAndBehindArrayByItsCanaries) {
  EXPECT_THAT(OnBench(writing_at(100)).run(), HasSubstr("wrote y[100], one element past the end of y"));
  EXPECT_THAT(OnBench(writing_at(100), lending_ground()).run(), HasSubstr("one element past the end of y"));
  EXPECT_THAT(OnBench(writing_at(-2), lending_ground()).run(), HasSubstr("2 elements before the start of y"));
}

TEST(Bench, FindsWorkThatGoesOnBehindItsAnswerInLentMemory) {
  FakeGround ground = lending_ground();
  ground.works_on = true;
  EXPECT_THAT(OnBench([](const FakeCall& call) { return double_each(call); }, std::move(ground)).run(),
              HasSubstr("goes on working after it has answered"));
}

TEST(Bench, LetsTimingsPassBeforeEachRun) {
  OnBench on([](const FakeCall& call) { return double_each(call); });
  on.run();
  on.run();
  EXPECT_EQ(on.ground.passes, 2u);
}

TEST(Bench, TellsTimeoutFromOtherFailures) {
  OnBench on([](const FakeCall&) -> RunnerAnswer<double> { return 1e9; });
  const Case c = make_case(on.spec, on.subject, 0, 1, {}, 1u << 30).value();
  ASSERT_TRUE(on.bench.set_up(c));
  const auto outcome = on.bench.run(on.subject, Bench::Side::candidate, 2, 2);
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().is_timeout);
  EXPECT_THAT(outcome.error().sentence, HasSubstr("did not end within"));
}

TEST(Bench, ComparesOutputsOfBothSides) {
  for (const bool lends : {false, true}) {
    OnBench on([](const FakeCall& call) { return double_each(call); }, lends ? lending_ground() : FakeGround());
    FakeSubject other(on.clock, {100}, [](const FakeCall& call) {
      const auto took = double_each(call);
      call.y[42] += 1;
      return took;
    });
    const Case c = make_case(on.spec, on.subject, 0, 1, {}, 1u << 30).value();
    ASSERT_TRUE(on.bench.set_up(c));
    const auto expected = on.bench.run(on.subject, Bench::Side::reference, 10, 2);
    const auto got = on.bench.run(other, Bench::Side::candidate, 10, 3);
    ASSERT_TRUE(expected && got);
    EXPECT_THAT(on.bench.compare(*expected, Ends::start, *got, {}), HasSubstr("y[42] is")) << lends;
  }
}

}  // namespace
}  // namespace hone::judge
