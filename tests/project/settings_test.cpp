#include "tool/project/settings.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/files.h"

namespace hone::project {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Durations, AreParsedWithUnits) {
  EXPECT_EQ(parse_duration("90").value(), 90);
  EXPECT_EQ(parse_duration("90s").value(), 90);
  EXPECT_EQ(parse_duration("10m").value(), 600);
  EXPECT_EQ(parse_duration("1h30m").value(), 5400);
  EXPECT_EQ(parse_duration("0.5s").value(), 0.5);
  for (const char* wrong : {"", "m", "10x", "-3s", "0", "0s", "nan", "inf", "10 m", "1h-3m"})
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
}

TEST(Durations, OfAllKernelsLeaveTimeForAWinner) {
  EXPECT_EQ(parse_total("8s").value(), 8);
  for (const char* wrong : {"", "0", "-9s", "soon", "7.9s"}) EXPECT_FALSE(parse_total(wrong)) << wrong;
}

TEST(Settings, TakeTimeOfAllKernelsWhereNoneHasItsOwn) {
  TuneOptions options;
  EXPECT_EQ(settle(options, {})->budget_seconds, 600);
  options.total_seconds = 1800;
  EXPECT_EQ(settle(options, {})->budget_seconds, 1800);
  TargetSettings target;
  target.budget = "2m";
  EXPECT_EQ(settle(options, target)->budget_seconds, 120);
  options.budget_seconds = 30;
  EXPECT_EQ(settle(options, target)->budget_seconds, 30);
}

TEST(Settings, PreferCommandLineToTarget) {
  TargetSettings target;
  target.trials = 7;
  target.budget = "2m";
  const auto plain = settle({}, target);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->trials, 7u);
  EXPECT_EQ(plain->budget_seconds, 120);
  TuneOptions options;
  options.trials = 3;
  options.budget_seconds = 5;
  options.jobs = 6;
  const auto told = settle(options, target);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->trials, 3u);
  EXPECT_EQ(told->budget_seconds, 5);
  EXPECT_EQ(told->jobs, 6u);
}

TEST(Settings, ResolveAutoToBuiltInStrategy) {
  TuneOptions options;
  options.strategy = "auto";
  EXPECT_EQ(settle(options, {})->strategy, settle({}, {})->strategy);
}

TEST(Settings, RejectUnknownNamesAndListKnownOnes) {
  TuneOptions options;
  options.proposer = "oracle";
  EXPECT_THAT(check(options).error().message(), AllOf(HasSubstr("'oracle'"), HasSubstr("openai")));
  options.proposer = "builtin";
  options.strategy = "fastest";
  EXPECT_THAT(check(options).error().message(),
              HasSubstr("there is no strategy 'fastest'; choose one of ai-cuda-engineer, auto, builtin"));
}

TEST(Settings, ReadStrategyFromFile) {
  const auto folder = os::TemporaryFolder::create("hone-settings");
  const std::string file = (folder->path() / "mine.json").string();
  TuneOptions options;
  options.strategy = file;
  EXPECT_FALSE(check(options));
  ASSERT_TRUE(os::write_file_atomically(file, R"({"name": "mine", "operators": [{"name": "init"}]})"));
  EXPECT_EQ(settle(options, {})->strategy.name, "mine");
  ASSERT_TRUE(os::write_file_atomically(file, R"({"name": "mine", "operators": []})"));
  EXPECT_THAT(check(options).error().message(), HasSubstr("mine.json: line 1"));
}

struct ProposerSettings : testing::Test {
  os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-settings");
  TargetSettings target;

  os::TemporaryFolder home = *os::TemporaryFolder::create("hone-settings");

  ProposerSettings() {
    target.lock = folder.path() / "hone.lock";
    ::unsetenv("HONE_PROPOSER");
    ::setenv("XDG_CONFIG_HOME", home.path().c_str(), 1);
  }
  ~ProposerSettings() override {
    ::unsetenv("HONE_PROPOSER");
    ::unsetenv("XDG_CONFIG_HOME");
  }
  void hone_json(const std::string& text) { ASSERT_TRUE(os::write_file_atomically(folder.path() / "hone.json", text)); }
};

TEST_F(ProposerSettings, PreferCommandLineToTargetToEnvironmentToFile) {
  hone_json(R"({ "proposer": "command:file" })");
  TuneOptions trusting;
  trusting.model.trust_project = true;
  EXPECT_EQ(settle(trusting, target)->proposer, "command:file");
  ::setenv("HONE_PROPOSER", "command:environment", 1);
  EXPECT_EQ(settle({}, target)->proposer, "command:environment");
  target.proposer = "command:cmake";
  EXPECT_EQ(settle({}, target)->proposer, "command:cmake");
  TuneOptions options;
  options.proposer = "command:line";
  EXPECT_EQ(settle(options, target)->proposer, "command:line");
  options.proposer = "builtin";
  EXPECT_TRUE(settle(options, target)->models.models.empty());
}

TEST_F(ProposerSettings, FitStrategyToProposer) {
  EXPECT_EQ(settle({}, target)->strategy.name, "builtin");
  target.proposer = "command:cmake";
  EXPECT_EQ(settle({}, target)->strategy.name, "auto");
  EXPECT_TRUE(settle({}, target)->strategy.seeded);
  target.strategy = "free";
  EXPECT_EQ(settle({}, target)->strategy.name, "free");
  target.strategy = "builtin";
  EXPECT_THAT(settle({}, target).error().message(), HasSubstr("is the built-in proposer's"));
  target.proposer = "builtin";
  target.strategy = "full";
  EXPECT_THAT(settle({}, target).error().message(), HasSubstr("needs a language model"));
}

TEST_F(ProposerSettings, AcceptRecordingWithAnyStrategy) {
  target.strategy = "full";
  TuneOptions options;
  options.proposer = "replay:some.jsonl";
  const auto settings = settle(options, target);
  ASSERT_TRUE(settings) << settings.error().message();
  EXPECT_EQ(settings->replayed, "some.jsonl");
  EXPECT_TRUE(settings->models.models.empty());
}

}  // namespace
}  // namespace hone::project
