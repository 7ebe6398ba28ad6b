// Pairs of samples on fakes: how long they are, what processes differ by, and what is found while they are taken.
#include "tool/judge/time/stopwatch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;
using testing::StartsWith;
using Side = Bench::Side;

FakeKernel taking(double seconds) {
  return [seconds](const FakeCall& call) { return double_each(call, seconds); };
}

struct Timed {
  Timed(FakeKernel original, FakeKernel candidate, FakeGround of = {}, const std::string* object = nullptr)
      : ground(std::move(of)),
        reference(clock, {256}, original),
        second(clock, {256}, object ? original : candidate, {{"candidate", candidate}}),
        stopwatch({.spec = spec,
                   .plan = plan,
                   .reference = reference,
                   .candidate = second,
                   .clock = clock,
                   .ground = ground,
                   .object = object},
                  {make_case(spec, reference, 0, 1, {}, 1u << 30).value()}, {}) {}

  FakeClock clock;
  FakeGround ground;
  const KernelSpec spec = fake_spec(1);
  const bundle::Plan plan{.seed = 7};
  FakeSubject reference, second;
  Stopwatch stopwatch;
};

TEST(Stopwatch, TakesSamplesThatAreLongEnoughForTheGround) {
  Timed timed(taking(10e-6), taking(10e-6));
  ASSERT_TRUE(timed.stopwatch.prepare());
  const Stopwatch::Track& track = timed.stopwatch.tracks().front();
  EXPECT_NEAR(track.calls * 10e-6, timed.ground.traits().samples.shortest, 20e-6);
  EXPECT_GE(track.pool.slots(), track.calls);  // a slot for each call
}

TEST(Stopwatch, BoundsBatchOfSlowerSide) {
  Timed timed(taking(2e-3), taking(10e-6));
  ASSERT_TRUE(timed.stopwatch.prepare());
  EXPECT_LE(timed.stopwatch.tracks().front().calls * 2e-3, timed.ground.traits().samples.longest + 2e-3);
}

TEST(Stopwatch, KeepsPoolOfGroundThatMakesItLargeAtOnce) {
  Timed timed(taking(10e-6), taking(10e-6), lending_ground());
  ASSERT_TRUE(timed.stopwatch.prepare());
  EXPECT_EQ(timed.stopwatch.tracks().front().pool.slots(), timed.ground.pool_slots);
  EXPECT_LE(timed.stopwatch.tracks().front().calls, timed.ground.pool_slots);
}

TEST(Stopwatch, DecidesByProcessorTimeOnlyWithoutThreadsOfRuntime) {
  Timed own(taking(1e-4), taking(1e-4));
  ASSERT_TRUE(own.stopwatch.prepare());
  EXPECT_TRUE(own.stopwatch.by_cpu());
  Timed lent(taking(1e-4), taking(1e-4), lending_ground());
  ASSERT_TRUE(lent.stopwatch.prepare());
  EXPECT_FALSE(lent.stopwatch.by_cpu());
}

TEST(Stopwatch, MeasuresWhatCandidatesProcessTakesMoreForTheOriginal) {
  const std::string object = "candidate";
  Timed timed(taking(1e-4), taking(5e-5), lending_ground(), &object);
  timed.second.slower = 7e-6;
  ASSERT_TRUE(timed.stopwatch.prepare());
  EXPECT_EQ(timed.stopwatch.misdeed().sentence, "");
  EXPECT_NEAR(timed.stopwatch.tracks().front().offset.more, 7e-6, 1e-9);
  ASSERT_TRUE(timed.stopwatch.take_pair(timed.stopwatch.scarcest_track()));
  EXPECT_NEAR(timed.stopwatch.tracks().front().wall.candidate.front(), 57e-6, 1e-9);
}

TEST(Stopwatch, BlamesOriginalForCrashBeforeCandidateIsLoaded) {
  const std::string object = "candidate";
  const auto crashing = [](const FakeCall& call) -> RunnerAnswer<double> {
    if (call.number > 20) return tl::unexpected(RunnerFailure{.fault = {.signal = SIGSEGV}});
    return double_each(call, 1e-4);
  };
  Timed timed(crashing, taking(5e-5), lending_ground(), &object);
  ASSERT_TRUE(timed.stopwatch.prepare());
  EXPECT_TRUE(timed.stopwatch.misdeed().of_original);
  EXPECT_THAT(timed.stopwatch.misdeed().sentence, StartsWith("the original crashed"));
}

TEST(Stopwatch, FindsCallThatLeavesItsOutputsOut) {
  Timed timed(taking(1e-4), [](const FakeCall& call) -> RunnerAnswer<double> {
    return call.number < 40 ? double_each(call, 5e-5) : 5e-5;
  });
  ASSERT_TRUE(timed.stopwatch.prepare());
  EXPECT_FALSE(timed.stopwatch.measure_until(timed.clock.seconds() + 1));
  EXPECT_THAT(timed.stopwatch.misdeed().sentence, StartsWith("right at first, then wrong while timed: y["));
}

TEST(Stopwatch, CountsWorkInCalls) {
  Timed timed(taking(1e-4), taking(5e-5));
  ASSERT_TRUE(timed.stopwatch.prepare());
  ASSERT_TRUE(timed.stopwatch.measure_until(timed.clock.seconds() + 0.1));
  const Work work = timed.stopwatch.work(Side::candidate);
  EXPECT_NEAR(work.calls, work.whole, 1e-9);
  EXPECT_NEAR(work.calls, timed.stopwatch.work(Side::reference).calls / 2, 1e-3);
}

}  // namespace
}  // namespace hone::judge
