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
  const SmallProject project(slow_product);
  {
    Program first(project.folder(), {"tune", "--trials", "100"});
    ASSERT_TRUE(first.run_until([&] { return project.journal().size() >= 4; })) << first.wait().err;
    first.send(SIGKILL);
    EXPECT_EQ(first.wait().signal, SIGKILL);
  }
  const auto before = project.journal();
  ASSERT_GE(before.size(), 4u);
  EXPECT_TRUE(cache::LockFile::read(project.lock()));

  const std::string trials = std::to_string(before.size() + 2);
  const Ended second = run(project.folder(), {"tune", "--trials", trials, "--resume", "--json", "-"});
  EXPECT_EQ(json::parse(second.out)["kernels"][0]["trials"]["total"], before.size() + 2) << second.err;
  EXPECT_THAT(second.err, HasSubstr("(journal)"));
  const auto after = project.journal();
  ASSERT_GE(after.size(), before.size());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin())) << "the old verdicts stand";
  std::set<std::string> fingerprints;
  for (const std::string& line : after)
    EXPECT_TRUE(fingerprints.insert(json::parse(line)["fingerprint"]).second) << "judged twice: " << line;
}

TEST(Interruption, KeepsFindingOnCtrlC) {
  const SmallProject project(slow_product);
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
  EXPECT_TRUE(cache::LockFile::read(project.lock())->entries.at(0).variant);
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
  const SmallProject project(slow_product);
  Program first(project.folder(), {"tune", "--trials", "4", "--json", "-"});
  ASSERT_TRUE(first.run_until([&] { return !project.journal().empty(); })) << first.wait().err;
  Program second(project.folder(), {"tune", "--trials", "4", "--json", "-"});
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
