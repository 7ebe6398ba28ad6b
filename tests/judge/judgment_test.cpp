// Whole judgments, from cases to verdict, on fakes: processes that lie, crash, are slow or drift, on grounds that a
// test sets up.
#include "tool/judge/judgment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <map>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"
#include "tool/base/random.h"

namespace hone::judge {
namespace {
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class JudgmentOnFakes : public testing::Test {
 protected:
  JudgmentOnFakes() {
    describe(fake_spec(sizes_.size()));
    bundle_.plan = {.seed = 7, .rule = {.looks = {0.1, 0.3}, .shares = {0.3, 0.7}}, .memory_bytes = 1u << 30};
    bundle_.reference = "original";
    bundle_.candidate = "candidate";
    kernels_["original"] = taking(100e-6);
    kernels_["candidate"] = taking(50e-6);
  }

  void describe(const KernelSpec& spec) {
    bundle_.kernel = spec;
    bundle_.data = spec;
  }

  FakeKernel taking(double seconds) {
    return [this, seconds](const FakeCall& call) {
      return double_each(call, seconds * (1 + 0.05 * static_cast<double>(chance_.below(1000)) / 1000));
    };
  }

  Result<bundle::Answer> judge(FakeGround& ground) {
    const Processors processors;
    const StartSubject start = [&](const std::string& object,
                                   const SubjectNeeds& needs) -> Result<std::unique_ptr<Subject>> {
      ground.begin_start();
      needs_.push_back(needs);
      auto subject = std::make_unique<FakeSubject>(clock_, sizes_, kernels_.at(object), kernels_);
      if (needs_.size() == 3) subject->slower = third_is_slower_;
      if (object == "candidate") subject->while_mapping = while_mapping_;
      return subject;
    };
    return Judgment(bundle_, {clock_, ground, inspection_, processors, start}).run();
  }
  bundle::Answer judge() {
    FakeGround ground;
    const auto verdict = judge(ground);
    EXPECT_TRUE(verdict) << verdict.error().message();
    return verdict.value_or(bundle::Answer());
  }

  FakeClock clock_;
  Random chance_{5};
  std::vector<int> sizes_{256, 100};
  bundle::Bundle bundle_;
  std::map<std::string, FakeKernel> kernels_;  // by object
  FakeInspection inspection_;
  std::vector<SubjectNeeds> needs_;        // of the subjects that were started
  std::function<double()> while_mapping_;  // of the candidate's processes
  double third_is_slower_ = 0;             // by so many seconds a call, whatever runs in it
};

TEST_F(JudgmentOnFakes, AcceptsFasterCandidate) {
  const Verdict verdict = judge();
  EXPECT_THAT(verdict.reason, StartsWith("faster: 2.0"));
  EXPECT_EQ(verdict.stage, Stage::done);
  EXPECT_TRUE(verdict.right && verdict.faster);
  EXPECT_THAT(verdict.tried.checks, Contains("guard pages at both ends of each array"));
  EXPECT_EQ(inspection_.asked, 1u);
}

TEST_F(JudgmentOnFakes, RefusesCandidateThatIsNotFaster) {
  kernels_["candidate"] = taking(100e-6);
  const Verdict verdict = judge();
  EXPECT_THAT(verdict.reason, StartsWith("not faster: "));
  EXPECT_TRUE(verdict.right);
  EXPECT_FALSE(verdict.faster);
}

TEST_F(JudgmentOnFakes, RefusesWrongCandidateWithoutTimingIt) {
  kernels_["candidate"] = [](const FakeCall& call) {
    const auto took = double_each(call);
    if (call.n > 2) call.y[2] += 1;
    return took;
  };
  FakeGround ground;
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->reason, StartsWith("y[2] is"));
  EXPECT_EQ(verdict->stage, Stage::verify);
  EXPECT_FALSE(verdict->right);
  EXPECT_EQ(ground.turns, 0u);
  EXPECT_EQ(inspection_.asked, 0u);
}

TEST_F(JudgmentOnFakes, RefusesCandidateThatIsWrongAfterTiming) {
  kernels_["candidate"] = [this, begun = clock_.seconds()](const FakeCall& call) {
    const auto took = double_each(call, 50e-6);
    if (clock_.seconds() > begun + 3 && call.n > 1 && call.n < 100) call.y[1] += 1;
    return took;
  };
  bundle_.plan.rule.looks = {3, 4};
  const Verdict verdict = judge();
  EXPECT_THAT(verdict.reason, StartsWith("right at first, but wrong after it was timed: "));
  EXPECT_FALSE(verdict.right || verdict.faster);
}

TEST_F(JudgmentOnFakes, BlamesOriginalThatCrashes) {
  kernels_["original"] = [](const FakeCall& call) -> RunnerAnswer<double> {
    if (call.n < 256) return double_each(call);
    return tl::unexpected(RunnerFailure{.fault = {.signal = SIGSEGV}});
  };
  const Verdict verdict = judge();
  EXPECT_THAT(verdict.reason, StartsWith("the original crashed: SIGSEGV"));
  EXPECT_FALSE(verdict.right);
}

TEST_F(JudgmentOnFakes, AcceptsGainInDriftThatBothShare) {
  const auto drifting = [this](double seconds) -> FakeKernel {
    return [this, seconds](const FakeCall& call) {
      return double_each(call, seconds * (1.25 + 0.25 * std::sin(40 * clock_.seconds())));
    };
  };
  kernels_["original"] = drifting(100e-6);
  kernels_["candidate"] = drifting(70e-6);
  EXPECT_THAT(judge().reason, StartsWith("faster: 1.4"));
}

TEST_F(JudgmentOnFakes, TellsWhatOriginalTakes) {
  bundle_.plan.task = bundle::Task::reference;
  inspection_.errors.unusable = "the sanitizers could not be used: it does not load";
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.reason, "the original is deterministic, in bounds and clean");
  EXPECT_EQ(verdict.detail, inspection_.errors.unusable);
  ASSERT_EQ(verdict.measurement.problems.size(), sizes_.size());
  EXPECT_NEAR(verdict.measurement.problems[0].reference_seconds, 100e-6, 5e-6);
}

TEST_F(JudgmentOnFakes, EndsAfterVerificationIfAsked) {
  bundle_.plan.task = bundle::Task::verify;
  FakeGround ground;
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->reason, StartsWith("nothing wrong was found"));
  EXPECT_EQ(ground.turns, 0u);
}

TEST_F(JudgmentOnFakes, CountsWithoutVerifying) {
  bundle_.plan.task = bundle::Task::count;
  inspection_.counting = {.counts = ExecutionCounts{.problem = "n=256"}, .reason = "counted only"};
  const bundle::Answer verdict = judge();
  EXPECT_EQ(verdict.reason, "counted only");
  ASSERT_TRUE(verdict.counts);
  EXPECT_EQ(verdict.counts->problem, "n=256");
  EXPECT_EQ(inspection_.asked, 0u);
}

TEST_F(JudgmentOnFakes, RefusesCandidateThatInspectionFindsGuilty) {
  inspection_.errors.finding =
      Finding{DiagnosticCode::memory_error, "under the sanitizers: heap-buffer-overflow", "its report"};
  inspection_.errors.tried.note_check("AddressSanitizer");
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.reason, "under the sanitizers: heap-buffer-overflow");
  EXPECT_EQ(verdict.detail, "its report");
  EXPECT_EQ(verdict.stage, Stage::verify);
  EXPECT_THAT(verdict.tried.checks, Contains("AddressSanitizer"));
}

TEST_F(JudgmentOnFakes, AsksLastToolOfTrialOnlyIfFaster) {
  inspection_.tool = "compute-sanitizer";
  EXPECT_TRUE(judge().faster);
  EXPECT_EQ(inspection_.asked, 0u);
  EXPECT_EQ(inspection_.asked_last, 1u);
  kernels_["candidate"] = taking(100e-6);
  EXPECT_THAT(judge().reason, HasSubstr("; compute-sanitizer was not asked"));
  EXPECT_EQ(inspection_.asked_last, 1u);
}

TEST_F(JudgmentOnFakes, RefusesFasterCandidateThatLastToolFindsGuilty) {
  inspection_.tool = "compute-sanitizer";
  inspection_.last.finding = Finding{DiagnosticCode::data_race, "a race", ""};
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.reason, "a race");
  EXPECT_FALSE(verdict.right || verdict.faster);
}

TEST_F(JudgmentOnFakes, AsksLastToolOfWinnerBeforeTiming) {
  inspection_.tool = "compute-sanitizer";
  bundle_.plan.depth = bundle::Depth::thorough;
  EXPECT_TRUE(judge().faster);
  EXPECT_EQ(inspection_.asked, 1u);
  EXPECT_EQ(inspection_.asked_last, 0u);
}

TEST_F(JudgmentOnFakes, GivesNoVerdictIfGroundFails) {
  FakeGround ground;
  ground.fails = true;
  const auto verdict = judge(ground);
  ASSERT_FALSE(verdict);
  EXPECT_THAT(verdict.error().message(), HasSubstr("it burns"));
}

// On a busy machine the system charges a process now and then for what others did.
TEST_F(JudgmentOnFakes, TimesAgainBeforeItRefusesWorkBesideCalls) {
  FakeGround ground;
  while_mapping_ = [&] { return ground.turns == 1 ? 0.5 : 0.0; };
  const auto once = judge(ground);
  ASSERT_TRUE(once);
  EXPECT_THAT(once->reason, StartsWith("faster: 2.0"));
  EXPECT_EQ(ground.turns, 2u);
  while_mapping_ = [] { return 0.5; };
  const auto always = judge(ground);
  ASSERT_TRUE(always);
  EXPECT_THAT(always->reason, StartsWith("works while it is not timed"));
}

TEST_F(JudgmentOnFakes, TimesTeamsOnceMoreAsleep) {
  bundle_.data.threads = 2;
  EXPECT_TRUE(judge().faster);
  ASSERT_EQ(needs_.size(), 4u);
  EXPECT_EQ(needs_[1].waiting, Waiting::spins);
  EXPECT_EQ(needs_[2].waiting, Waiting::sleeps);
  EXPECT_EQ(needs_[3].waiting, Waiting::sleeps);
}

TEST_F(JudgmentOnFakes, AcceptsFasterCandidateInLentMemory) {
  FakeGround ground = lending_ground();
  bundle_.plan.depth = bundle::Depth::thorough;
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_THAT(verdict->reason, StartsWith("faster: 2.0"));
  EXPECT_THAT(verdict->tried.checks, Contains("canaries around each array"));
  EXPECT_THAT(verdict->tried.checks, Not(Contains("guard pages at both ends of each array")));
}

TEST_F(JudgmentOnFakes, FindsWriteBehindArrayInLentMemory) {
  FakeGround ground = lending_ground();
  kernels_["candidate"] = [](const FakeCall& call) {
    const auto took = double_each(call);
    call.y[call.n] = 1;
    return took;
  };
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->reason, HasSubstr("one element past the end of y"));
}

// The candidate's process takes a tenth more for the same code: that is not the candidate's.
TEST_F(JudgmentOnFakes, SubtractsWhatProcessesDifferBy) {
  FakeGround ground = lending_ground();
  bundle_.plan.depth = bundle::Depth::thorough;
  third_is_slower_ = 10e-6;
  kernels_["candidate"] = taking(100e-6);
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->reason, HasSubstr("not faster: 1.00x"));
}

TEST_F(JudgmentOnFakes, ComparesProcessesOfTrialOnlyIfItsRatioIsUnclear) {
  bundle_.plan.depth = bundle::Depth::trial;
  const auto processes_for = [&](double seconds) {
    FakeGround ground = lending_ground();
    needs_.clear();
    kernels_["candidate"] = taking(seconds);
    EXPECT_TRUE(judge(ground));
    return needs_.size();
  };
  constexpr std::size_t uncompared = 2, compared = 3;  // another process of the original's, where the two are compared
  EXPECT_EQ(processes_for(30e-6), uncompared);
  EXPECT_EQ(processes_for(90e-6), compared);
  EXPECT_EQ(processes_for(300e-6), uncompared);
}

TEST_F(JudgmentOnFakes, EndsUntimedWorkBeforeTiming) {
  FakeGround ground = lending_ground();
  ASSERT_TRUE(judge(ground));
  EXPECT_GE(ground.turns, 1u);
  EXPECT_FALSE(ground.timed_beside_untimed_work);
  EXPECT_EQ(ground.untimed, 0);
  EXPECT_GE(ground.passes, 10u);
}

TEST_F(JudgmentOnFakes, RefusesCandidateThatLeavesWorkToGround) {
  FakeGround ground = lending_ground();
  kernels_["candidate"] = [&](const FakeCall& call) {
    ground.free_seconds = 1e-3;
    return double_each(call, 50e-6);
  };
  kernels_["original"] = [&](const FakeCall& call) {
    ground.free_seconds = 0;
    return double_each(call, 100e-6);
  };
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->reason, StartsWith("leaves work on the device that runs after its calls"));
}

TEST_F(JudgmentOnFakes, ReportsShareOfMemoryBandwidth) {
  FakeGround ground;
  ground.copied = 1e12;
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->detail, HasSubstr("of the 1 TB/s that this device copies"));
  EXPECT_GT(verdict->measurement.problems[0].bytes, 0);
}

TEST_F(JudgmentOnFakes, ChargesNoCheatWithProblemThatShortLookNeverReached) {
  sizes_ = {2048, 2048, 2048, 2048};
  describe(fake_spec(sizes_.size()));
  bundle_.plan.rule = {.looks = {100e-6}, .shares = {}};
  FakeGround ground;
  ground.stored = 1e12;
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->reason, Not(HasSubstr("is below what storing its outputs takes")));
  EXPECT_TRUE(verdict->right);
}

TEST_F(JudgmentOnFakes, RefusesTimeBelowWhatStoringTakes) {
  sizes_ = {4096};
  describe(fake_spec(1));
  FakeGround ground;
  ground.stored = 1e6;  // bytes per second: 16 ms for y
  const auto verdict = judge(ground);
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->reason, HasSubstr("is below what storing its outputs takes"));
}

}  // namespace
}  // namespace hone::judge
