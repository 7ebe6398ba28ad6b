// Judgments of one bench beside those of others: which of them wait.
#include "tool/tune/trial/trial_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "tests/judge/machine/lock_files.h"
#include "tests/tune/trial/fake_stages.h"

namespace hone::tune {
namespace {

// Two judgments at once, of a machine with two places.
class TrialBenchPlaces : public testing::Test {
 protected:
  TrialBenchPlaces() {
    options_.parallel = {.compiles = 1, .judgments = 2};
    options_.places = places_;
    bench_.emplace(stages_, options_, stop_.get_token(), [this](auto answer) {
      if (std::holds_alternative<Judged>(answer)) ++answered_;
    });
  }

  void judge(const std::string& object) {
    stages_.hold(object);
    Proposal proposal;
    proposal.candidate.source = object;
    bench_->judge(++judged_, proposal, {judged_, object, compile::Objects{.plain = object}});
  }

  // Until so many judgments have begun, or for so long that a test which waits in vain fails and does not hang.
  bool begins(std::size_t count, std::chrono::milliseconds patience = std::chrono::seconds(10)) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (stages_.judgments_begun() < count && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return stages_.judgments_begun() >= count;
  }
  bool stays_at(std::size_t count) { return !begins(count + 1, std::chrono::milliseconds(120)); }

  const judge::LockFiles files_{"bench-test"};
  const judge::JudgmentPlaces places_{files_.name(), 2};
  FakeStages stages_;
  TrialBench::Options options_;
  std::stop_source stop_;
  std::atomic<unsigned> answered_ = 0;
  unsigned judged_ = 0;
  std::optional<TrialBench> bench_;
};

TEST_F(TrialBenchPlaces, JudgesTwoAtOnceIfItIsAlone) {
  judge("fast2");
  judge("fast3");
  EXPECT_TRUE(begins(2));
}

TEST_F(TrialBenchPlaces, JudgesOneAtATimeWhileOthersHaveThePlaces) {
  std::optional<judge::TurnLock> one = places_.take(), other = places_.take();
  judge("fast2");
  judge("fast3");
  ASSERT_TRUE(begins(1));
  EXPECT_TRUE(stays_at(1));
  other.reset();
  EXPECT_TRUE(stays_at(1)) << "its own and another's are two";
  one.reset();
  EXPECT_TRUE(begins(2));
}

TEST_F(TrialBenchPlaces, BeginsNextWhenItsOnlyJudgmentEnds) {
  const judge::TurnLock one = places_.take(), other = places_.take();
  judge("fast2");
  judge("fast3");
  ASSERT_TRUE(begins(1));
  stages_.release(stages_.last_begun());
  EXPECT_TRUE(begins(2));
}

TEST_F(TrialBenchPlaces, StopsJudgmentThatWaitsForPlace) {
  const judge::TurnLock one = places_.take(), other = places_.take();
  judge("fast2");
  judge("fast3");
  ASSERT_TRUE(begins(1));
  bench_.reset();
  EXPECT_EQ(answered_, 0u);
  EXPECT_EQ(stages_.judgments_begun(), 1u);
}

}  // namespace
}  // namespace hone::tune
