// A timing from samples to verdict, on fakes whose durations are scripted. The rule is the statistics' own.
#include "tool/judge/time/timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/judge/fake_subject.h"
#include "tool/base/random.h"
#include "tool/judge/timing_verdict.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;
using testing::StartsWith;

// Seconds of a call, as a function of when it begins and of chance between 0 and 1.
using Duration = std::function<double(double now, double chance)>;

struct Script {
  const char* name;
  Duration reference, candidate;
  const char* reason;  // how the verdict begins
  bool right = true;
  double candidate_sleeps = 0;  // share of each call
  bool lies_while_timed = false;
};
void PrintTo(const Script& script, std::ostream* out) {
  *out << script.name;
}

class TimerSays : public testing::TestWithParam<Script> {};

TEST_P(TimerSays, Verdict) {
  const Script& script = GetParam();
  FakeClock clock;
  ProcessorGround ground;
  Random chance(5);
  const std::vector<int> sizes{256};
  const KernelSpec spec = fake_spec(1);
  const bundle::Plan plan{.seed = 7, .rule = {.looks = {0.1, 0.3}, .shares = {0.3, 0.7}}};
  const auto kernel = [&](const Duration& duration, bool lies) {
    return [&, lies](const FakeCall& call) -> RunnerAnswer<double> {
      const auto took = double_each(call, duration(clock.seconds(), static_cast<double>(chance.below(1000)) / 1000));
      if (lies && call.number > 50) call.y[9] += 1;
      return took;
    };
  };
  FakeSubject reference(clock, sizes, kernel(script.reference, false));
  FakeSubject candidate(clock, sizes, kernel(script.candidate, script.lies_while_timed));
  candidate.sleeps = script.candidate_sleeps;
  std::vector<Case> declared{make_case(spec, reference, 0, 1, {}, 1u << 30).value()};
  Timer timer(
      {.spec = spec, .plan = plan, .reference = reference, .candidate = candidate, .clock = clock, .ground = ground},
      declared, {});
  const auto timing = timer.run();
  ASSERT_TRUE(timing) << timing.error().message();
  const TimingVerdict conclusion = conclude(*timing, "");
  EXPECT_THAT(conclusion.reason, StartsWith(script.reason));
  EXPECT_EQ(conclusion.right, script.right);
  EXPECT_EQ(conclusion.faster, std::string_view(script.reason).starts_with("faster"));
}

Duration steady(double seconds) {
  return [=](double, double) { return seconds; };
}
Duration noisy(double seconds, double noise) {
  return [=](double, double chance) { return seconds * (1 + noise * chance); };
}
// A machine that becomes slower and faster again, by half.
Duration drifting(double seconds) {
  return [=](double now, double chance) { return seconds * (1.25 + 0.25 * std::sin(40 * now)) * (1 + 0.02 * chance); };
}

const Script scripts[] = {
    {"FasterForHalfTheTime", noisy(100e-6, 0.05), noisy(50e-6, 0.05), "faster: 2.0"},
    {"FasterInDriftThatBothShare", drifting(100e-6), drifting(80e-6), "faster: 1.2"},
    {"NotFasterForTheSameTime", noisy(100e-6, 0.05), noisy(100e-6, 0.05), "not faster: 1.00x"},
    {"NotFasterInDriftThatBothShare", drifting(100e-6), drifting(100e-6), "not faster: "},
    {"SlowerForMoreTime", noisy(100e-6, 0.05), noisy(120e-6, 0.05), "slower on n=256: 0.8"},
    {"UndecidedForGainWithinTheNoise", noisy(100e-6, 3), noisy(96e-6, 3), "undecided: "},
    {"NotFasterForSleepingInItsCalls", steady(100e-6), steady(110e-6), "not faster: ", true, 0.5},
    {"UndecidedForSleepingAwayWhatItGained", steady(100e-6), steady(100e-6), "undecided: 2.0", true, 0.5},
    {"UndecidedForSleepingAwayMostOfIt", noisy(100e-6, 0.02), noisy(90e-6, 0.02), "undecided: 2.2", true, 0.5},
    {"MisdeedForWrongElementWhileTimed", steady(100e-6), steady(50e-6), "right at first, then wrong while timed: y[9]",
     false, 0, true},
    {"MisdeedForCallThatNeverComesBack", steady(100e-6), [](double now, double) { return now < 0.05 ? 50e-6 : 1e9; },
     "did not end within", false},
};

INSTANTIATE_TEST_SUITE_P(Timer, TimerSays, testing::ValuesIn(scripts),
                         [](const auto& script) { return std::string(script.param.name); });

}  // namespace
}  // namespace hone::judge
