// hone-worker --batch on folders of real bundles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/worker/judge_bench.h"
#include "tool/bundle/answer.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Batch : public ::testing::Test {
 protected:
  Batch() : folder_(os::TemporaryFolder::create("hone-batch-test").value()) {}

  void put(const std::string& name, const std::string& bytes) {
    ASSERT_TRUE(os::write_file_atomically(folder_.path() / name, bytes));
  }
  std::string get(const std::string& name) { return os::read_file(folder_.path() / name).value_or(""); }

  os::Exit run() {
    os::PosixProcessRunner runner;
    return runner.run({.arguments = {HONE_WORKER, "--batch", folder_.path().string(), "--at-once", "2"}}).value();
  }

  // What the bundle's judgment came to.
  Verdict verdict(const std::string& name, const bundle::Bundle& bundle) {
    const auto answer = bundle::read_answer(get(name), bundle, serialize(bundle), 60);
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().message()) << get(name);
    return answer.value_or(bundle::Answer());
  }

  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.push_back(entry.path().filename());
    return names;
  }

  os::TemporaryFolder folder_;
};

TEST_F(Batch, JudgesEveryBundleAndLeavesOnlyAnswers) {
  const bundle::Bundle right = scaling_bundle("2"), wrong = scaling_bundle("3");
  put("a.bundle", serialize(right));
  put("b.bundle", serialize(wrong));
  put("c.in", serialize(wrong));
  const os::Exit exit = run();
  EXPECT_EQ(exit.code, 0) << exit.err;
  EXPECT_TRUE(verdict("a.verdict", right).right);
  EXPECT_THAT(verdict("b.verdict", wrong).reason, HasSubstr("expected"));
  EXPECT_FALSE(verdict("c.out", wrong).right);
  EXPECT_THAT(names(),
              ::testing::UnorderedElementsAre("a.bundle", "a.verdict", "b.bundle", "b.verdict", "c.in", "c.out"));
}

TEST_F(Batch, SkipsBundleThatHasVerdict) {
  put("a.bundle", serialize(scaling_bundle("2")));
  put("a.verdict", "from an earlier batch");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(get("a.verdict"), "from an earlier batch");
}

TEST_F(Batch, ReportsMalformedBundleAndJudgesOthers) {
  const bundle::Bundle right = scaling_bundle("2");
  put("a.bundle", "no bundle at all");
  put("b.bundle", serialize(right));
  const os::Exit exit = run();
  EXPECT_EQ(exit.code, 3);
  EXPECT_THAT(exit.err, HasSubstr("a.bundle: bundle: the bundle is malformed"));
  EXPECT_THAT(exit.err, HasSubstr("1 bundles have no verdict"));
  EXPECT_TRUE(verdict("b.verdict", right).right);
}

TEST_F(Batch, SkipsBundleThatAnotherBatchClaimed) {
  put("a.bundle", serialize(scaling_bundle("2")));
  const auto claim = os::FileLock::acquire(folder_.path() / ".a.bundle.claim");
  ASSERT_TRUE(claim);
  EXPECT_EQ(run().code, 3);
  EXPECT_EQ(get("a.verdict"), "");
}

TEST_F(Batch, FailsWithoutFolder) {
  os::PosixProcessRunner runner;
  const auto exit = runner.run({.arguments = {HONE_WORKER, "--batch", "/nowhere"}}).value();
  EXPECT_EQ(exit.code, 3);
  EXPECT_THAT(exit.err, HasSubstr("/nowhere: cannot read the folder"));
}

}  // namespace
}  // namespace hone::test
