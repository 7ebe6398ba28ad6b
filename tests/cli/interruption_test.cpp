// What is left when a tuning is stopped, killed or doubled.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <nlohmann/json.hpp>

#include "cache/lock_file.h"
#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

using nlohmann::json;
using testing::HasSubstr;

bool accepted(const std::string& line) {
  const json entry = json::parse(line, nullptr, false);
  return entry.is_object() && entry["verdict"].value("faster", false) && entry["fingerprint"] != "original";
}

TEST(Interruption, ResumesKilledRunWithoutRejudging) {
  const SmallProject project(twice_in_steps);
  {
    Program first(project.folder(), {"tune", "--trials", "100"});
    ASSERT_TRUE(first.run_until([&] { return project.journal().size() >= 3; })) << first.wait().err;
    first.send(SIGKILL);
    EXPECT_EQ(first.wait().signal, SIGKILL);
  }
  const auto before = project.journal();
  ASSERT_GE(before.size(), 3u);  // one is the original's
  EXPECT_TRUE(cache::LockFile::read(project.lock()));

  const std::string trials = std::to_string(before.size() + 1);
  const Ended second = run(project.folder(), {"tune", "--trials", trials, "--json", "-"});
  EXPECT_EQ(json::parse(second.out)["kernels"][0]["trials"]["total"], before.size() + 1) << second.err;
  EXPECT_THAT(second.err, HasSubstr("(journal)"));
  EXPECT_THAT(second.err, HasSubstr("verdicts of an earlier run are known; --no-resume judges anew"));
  const auto after = project.journal();
  ASSERT_GE(after.size(), before.size());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin())) << "the old verdicts stand";
  std::set<std::string> fingerprints;
  for (const std::string& line : after)
    EXPECT_TRUE(fingerprints.insert(json::parse(line)["fingerprint"]).second) << "judged twice: " << line;
}

TEST(Interruption, KeepsFindingOnCtrlC) {
  const SmallProject project(twice_in_steps);
  Program program(project.folder(), {"tune", "--trials", "100000", "--budget", "10m", "--json", "-"});
  ASSERT_TRUE(program.run_until([&] {
    const auto lines = project.journal();
    return std::any_of(lines.begin(), lines.end(), accepted);
  })) << program.wait().err;
  program.send(SIGINT);
  const Ended ended = program.wait();
  EXPECT_EQ(ended.code, 130) << ended.err;
  const json kernel = json::parse(ended.out)["kernels"][0];
  EXPECT_EQ(kernel["accepted"], true) << ended.err;
  EXPECT_THAT(kernel["message"].get<std::string>(), HasSubstr("as the search measured it"));
  const cache::LockEntry entry = cache::LockFile::read(project.lock())->entries.at(0);
  EXPECT_TRUE(entry.variant);
  EXPECT_TRUE(entry.unconfirmed);
  EXPECT_EQ(json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0]["unconfirmed"], true);

  // A strict build takes nothing on trust.
  const std::vector<std::string> compile{"--", "g++", "-O2", "-o", "kernel.o", "-c", "../kernel.cpp"};
  std::vector<std::string> loose{"cc", "--lock", project.lock().string()}, strict = loose;
  strict.push_back("--locked");
  loose.insert(loose.end(), compile.begin(), compile.end());
  strict.insert(strict.end(), compile.begin(), compile.end());
  const Ended linked = run(project.folder() / "build", loose), refused = run(project.folder() / "build", strict);
  EXPECT_EQ(linked.code, 0) << linked.err;
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("is locked as the search measured it, and nobody has measured it afresh"));

  // The next tuning measures it afresh; the trials of the first are all that it needs.
  const std::string trials = std::to_string(project.journal().size() - 1);  // one is the original's
  const Ended confirmed = run(project.folder(), {"tune", "--trials", trials, "--json", "-"});
  EXPECT_EQ(confirmed.code, 0) << confirmed.err;
  EXPECT_THAT(confirmed.err, HasSubstr("going on"));
  EXPECT_FALSE(cache::LockFile::read(project.lock())->entries.at(0).unconfirmed) << confirmed.err;
}

// Under half of its trials, a search has said next to nothing.
TEST(Interruption, GoesOnFromSearchThatEndedEarly) {
  const SmallProject project(twice_in_steps);
  const Ended first = run(project.folder(), {"tune", "--trials", "1", "--json", "-"});
  ASSERT_EQ(first.code, 0) << first.err;
  // As a budget leaves it that ends after few trials, in a checkout that has no journal.
  ASSERT_TRUE(
      cache::LockFile::update(project.lock(), [](cache::LockFile& file) { file.entries.at(0).unfinished = true; }));
  std::filesystem::remove_all(project.folder() / "build" / "hone");
  std::filesystem::remove_all(project.folder() / "cache");
  EXPECT_EQ(json::parse(run(project.folder(), {"list", "--json"}).out)["kernels"][0]["unfinished"], true);

  const Ended second = run(project.folder(), {"tune", "--trials", "2", "--json", "-"});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_THAT(second.err, HasSubstr("the last search ended early: going on"));
  const cache::LockEntry entry = cache::LockFile::read(project.lock())->entries.at(0);
  EXPECT_TRUE(entry.variant) << second.err;
  EXPECT_FALSE(entry.unfinished);
  const Ended third = run(project.folder(), {"tune", "--json", "-"});
  EXPECT_EQ(json::parse(third.out)["kernels"][0]["outcome"], "already tuned");
}

TEST(Interruption, LeavesSearchUnfinishedIfBudgetEndsEarly) {
  const SmallProject project(slow_product);
  const Ended tuned = run(project.folder(), {"tune", "--trials", "100000", "--budget", "12s", "--json", "-"});
  const json kernel = json::parse(tuned.out)["kernels"][0];
  EXPECT_NE(kernel["outcome"], "interrupted") << "nobody did";
  for (const cache::LockEntry& entry : cache::LockFile::read(project.lock())->entries)
    EXPECT_TRUE(entry.unfinished) << tuned.err;
}

TEST(Stopping, EndsWhereTheBestReachesItsShareOfTheLimit) {
  const SmallProject project(twice_in_steps, "-O2");
  const Ended tuned = run(project.folder(), {"tune", "--trials", "100", "--until", "0.01", "--json", "-"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const json kernel = json::parse(tuned.out)["kernels"][0];
  EXPECT_LT(kernel["trials"]["total"], 20);
  EXPECT_THAT(kernel["message"].get<std::string>(), HasSubstr("% of the limit"));
}

TEST(Interruption, LeavesLockUnchangedWithoutFinding) {
  const SmallProject project(plain_copy);
  Program program(project.folder(), {"tune", "--trials", "100000"});
  ASSERT_TRUE(program.run_until([&] { return !project.journal().empty(); })) << program.wait().err;
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 130);
  EXPECT_TRUE(cache::LockFile::read(project.lock())->entries.empty());
}

TEST(Interruption, CompletesTwoConcurrentTunings) {
  const SmallProject project(twice_in_steps);
  Program first(project.folder(), {"tune", "--trials", "2", "--json", "-"});
  ASSERT_TRUE(first.run_until([&] { return !project.journal().empty(); })) << first.wait().err;
  Program second(project.folder(), {"tune", "--trials", "2", "--json", "-"});
  const Ended one = first.wait(), two = second.wait();
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_THAT(two.err, HasSubstr("(process " + std::to_string(first.pid()) + ")"));
  EXPECT_EQ(json::parse(two.out)["kernels"][0]["outcome"], "already tuned");
  EXPECT_EQ(json::parse(one.out)["kernels"][0]["variant"], json::parse(two.out)["kernels"][0]["variant"]);
  EXPECT_EQ(cache::LockFile::read(project.lock())->entries.size(), 1u);
}

}  // namespace
}  // namespace hone
