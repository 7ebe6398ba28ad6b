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

bundle::Bundle bundle_of(const std::string& factor, std::vector<double> looks = {0.02}) {
  const auto text = [](const std::string& by) {
    return "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = " + by + " * x[i]; }\n";
  };
  bundle::Bundle bundle;
  const KernelSpec spec = Saxpy::spec({2000});
  bundle.kernel = spec;
  bundle.data = spec;
  bundle.plan.seed = 31;
  bundle.plan.rule.looks = std::move(looks);
  bundle.plan.rule.shares = {};
  bundle.reference = compile(Saxpy::unit(text("2"), {2000}));
  bundle.candidate = compile(Saxpy::unit(text(factor), {2000}));
  return bundle;
}

// Its input stays open as long as `input` says, a command of the shell's.
os::Exit serve(const std::string& input) {
  os::PosixProcessRunner runner;
  return runner.run({.arguments = {"/bin/sh", "-c", "{ " + input + "; } | " HONE_WORKER " --serve"}}).value();
}

class Serve : public ::testing::Test {
 protected:
  std::string frame(const std::string& name, const std::string& bytes) {
    const auto path = folder_.path() / name;
    EXPECT_TRUE(os::write_file_atomically(path, bundle::frame_header(bytes) + bytes));
    return path.string();
  }
  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-serve-test").value();
};

TEST_F(Serve, SaysWhatItIsAndJudgesBundleAfterBundle) {
  const bundle::Bundle right = bundle_of("2"), wrong = bundle_of("3");
  const std::string first = frame("a", serialize(right)), second = frame("b", serialize(wrong));
  const os::Exit exit = serve("cat " + first + "; echo; cat " + second + "; sleep 8");
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
  EXPECT_THAT(exit.out, HasSubstr("\n\n")) << "a pulse";
}

TEST_F(Serve, EndsInJudgmentWhoseSenderIsGone) {
  const std::string long_one = frame("a", serialize(bundle_of("2", {100})));
  const auto start = std::chrono::steady_clock::now();
  const os::Exit exit = serve("cat " + long_one + "; sleep 1");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  EXPECT_EQ(exit.code, 0) << exit.err;
}

TEST_F(Serve, RefusesWhatIsNoFrame) {
  const os::Exit exit = serve("echo GET / HTTP/1.1; sleep 5");
  EXPECT_EQ(exit.code, 3);
  EXPECT_THAT(exit.err, HasSubstr("hone-worker: stdin: the input is no bundle's frame"));
  const std::string damaged = frame("a", "bytes of a bundle");
  EXPECT_THAT(serve("sed s/bytes/Bytes/ " + damaged + "; sleep 5").err, HasSubstr("damaged on its way"));
}

TEST_F(Serve, AnswersBundleThatItCannotReadAndGoesOn) {
  const bundle::Bundle wrong = bundle_of("3");
  const os::Exit exit = serve("cat " + frame("a", "no bundle") + " " + frame("b", serialize(wrong)) + "; sleep 4");
  EXPECT_THAT(exit.out, HasSubstr("\"error\":"));
  EXPECT_THAT(exit.out, HasSubstr("{\"bundle\":\"" + bundle::fingerprint(serialize(wrong)) + "\",\"verdict\""));
}

}  // namespace
}  // namespace hone::test
