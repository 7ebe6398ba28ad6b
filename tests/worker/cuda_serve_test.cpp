// A worker that stays on a CUDA device: what one candidate does to its process or its context must not reach the next.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/cuda_bench.h"
#include "tool/executor/make_executor.h"
#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"

namespace hone::test {
namespace {

using ::testing::HasSubstr;

std::string stepping(const std::string& body) {
  return "__global__ void step(const float* x, float* y, int n) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  " +
         body + "\n}\nvoid kernel(const float* x, float* y, int n) { step<<<(n + 255) / 256, 256>>>(x, y, n); }\n";
}

class CudaServe : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_device(); !why.empty()) GTEST_SKIP() << why;
    const auto script = folder_.path() / "worker";
    ASSERT_TRUE(os::write_file_atomically(
        script, "#!/bin/sh\necho start >> " + log().string() + "\nexec " HONE_WORKER " \"$@\"\n"));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    auto made = executor::make_executor("command:" + script.string() + " --serve", runner_);
    ASSERT_TRUE(made) << made.error().message();
    executor_ = std::move(*made);
  }

  std::filesystem::path log() const { return folder_.path() / "log"; }

  bundle::Answer judge(const std::string& body) {
    const std::string slow =
        "volatile float sum = 0;\n  for (int k = 0; k < 128; ++k) sum = sum + x[i] * 0.03125f;\n  y[i] = sum;";
    bundle::Bundle bundle = cuda_saxpy(stepping(slow), stepping(body), {1 << 20, 999983});
    bundle.plan.rule.looks = {0.1, 0.3};
    bundle.plan.rule.shares = {};
    const auto answer = executor_->run(bundle, {});
    EXPECT_TRUE(answer) << answer.error().message();
    return answer ? *answer : bundle::Answer{};
  }

  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-cuda-serve-test").value();
  os::PosixProcessRunner runner_;
  std::unique_ptr<bundle::Executor> executor_;
};

TEST_F(CudaServe, JudgesEachCandidateAsIfItWereTheFirst) {
  EXPECT_TRUE(judge("y[i] = 4 * x[i];").faster);
  EXPECT_THAT(judge("y[i] = 3 * x[i];").reason, HasSubstr("expected"));
  EXPECT_FALSE(judge("y[i] = 4 * x[i]; if (i == n / 2) __trap();").right);
  EXPECT_FALSE(judge("y[i + (1ll << 40)] = 4 * x[i];").right);
  EXPECT_TRUE(judge("const float v = x[i]; y[i] = v * 4;").faster);
  EXPECT_EQ(os::read_file(log()).value_or(""), "start\n") << "one process judged all of them";
}

}  // namespace
}  // namespace hone::test
