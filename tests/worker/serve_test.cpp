// hone-worker --serve with real bundles: what it finds, and how it ends.
#include <signal.h>

#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"
#include "tool/bundle/answer.h"
#include "tool/bundle/service.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class Serve : public ::testing::Test {
 protected:
  std::string frame(const std::string& name, const std::string& bytes) {
    const auto path = folder_.path() / name;
    EXPECT_TRUE(os::write_file_atomically(path, bundle::frame_header(bytes) + bytes));
    return path.string();
  }
  // `input` is a command of the shell's. The worker's input stays open until its output has so many lines like this.
  os::Exit serve(const std::string& input, int lines = 0, const std::string& like = "bundle") {
    const std::string out = (folder_.path() / "out").string();
    const std::string wait = "while [ $(grep -c '" + like + "' " + out + ") -lt " + std::to_string(lines) +
                             " ] && [ -e " + out + " ]; do sleep 0.1; done";
    os::PosixProcessRunner runner;
    const std::string script = "> " + out + "; { " + input + "; " + wait + "; } | " HONE_WORKER " --serve > " + out;
    os::Exit exit = runner.run({.arguments = {"/bin/sh", "-c", script}}).value();
    exit.out = os::read_file(out).value_or("");
    return exit;
  }
  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-serve-test").value();
};

TEST_F(Serve, SaysWhatItIsAndJudgesBundleAfterBundle) {
  const bundle::Bundle right = scaling_bundle("2"), wrong = scaling_bundle("3");
  const std::string first = frame("a", serialize(right)), second = frame("b", serialize(wrong));
  const os::Exit exit = serve("cat " + first + "; echo; cat " + second, 2);
  std::vector<std::string> lines;
  std::istringstream text(exit.out);
  for (std::string line; std::getline(text, line);)
    if (!line.empty()) lines.push_back(line);
  ASSERT_EQ(lines.size(), 3u) << exit.out << exit.err;
  const auto hello = bundle::read_hello(lines[0]);
  ASSERT_TRUE(hello);
  const auto one = bundle::read_answer(lines[1], right, serialize(right), 60),
             other = bundle::read_answer(lines[2], wrong, serialize(wrong), 60);
  ASSERT_TRUE(one && other) << exit.out;
  EXPECT_TRUE(one->right) << one->reason;
  EXPECT_EQ(one->machine, hello->kind(false));
  EXPECT_FALSE(other->right);
  EXPECT_THAT(other->reason, HasSubstr("expected"));
}

TEST_F(Serve, GivesPulseWhileItHasNothingToSay) {
  EXPECT_THAT(serve("echo", 1, "^$").out, ::testing::EndsWith("}\n\n"));
}

TEST_F(Serve, EndsInJudgmentWhoseSenderIsGone) {
  const std::string long_one = frame("a", serialize(scaling_bundle("2", {100})));
  const auto start = std::chrono::steady_clock::now();
  const os::Exit exit = serve("cat " + long_one + "; sleep 1");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  EXPECT_EQ(exit.code, 0) << exit.err;
}

TEST_F(Serve, RefusesWhatIsNoFrame) {
  const os::Exit exit = serve("echo GET / HTTP/1.1");
  EXPECT_EQ(exit.code, 3);
  EXPECT_THAT(exit.err, HasSubstr("hone-worker: stdin: the input is no bundle's frame"));
  const std::string damaged = frame("a", "bytes of a bundle");
  EXPECT_THAT(serve("sed s/bytes/Bytes/ " + damaged).err, HasSubstr("damaged on its way"));
}

TEST_F(Serve, AnswersBundleThatItCannotReadAndGoesOn) {
  const bundle::Bundle wrong = scaling_bundle("3");
  const os::Exit exit = serve("cat " + frame("a", "no bundle") + " " + frame("b", serialize(wrong)), 2);
  EXPECT_THAT(exit.out, HasSubstr("\"error\":"));
  EXPECT_THAT(exit.out, HasSubstr("{\"bundle\":\"" + bundle::fingerprint(serialize(wrong)) + "\",\"verdict\""));
}

}  // namespace
}  // namespace hone::test
