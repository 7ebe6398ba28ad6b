// How the candidates of a __global__ kernel are compiled: for trials by their device code alone, in the end by nvcc
// whole. The real compilers; what would be judged is only looked at. Without nvcc it is skipped.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/trial/agreeing_executor.h"
#include "tool/base/elf.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/os/files/files.h"
#include "tool/tune/trial/evaluator.h"

namespace hone::tune {
namespace {

namespace fs = std::filesystem;

constexpr const char* nvcc = "/usr/local/cuda/bin/nvcc";
constexpr const char* kernels = R"(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20) launch(grid((n + 255) / 256), block(256))
__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
)";
constexpr const char* candidate = R"(__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + x[i];
}
)";

class TrialCompile : public testing::Test {
 protected:
  void SetUp() override {
    if (::access(nvcc, X_OK) != 0) GTEST_SKIP() << "there is no " << nvcc;
    ::setenv("HONE_NVRTC", HONE_NVRTC, 1);
    const fs::path file = folder_.path() / "kernel.cu";
    ASSERT_TRUE(os::write_file_atomically(file, kernels));
    command_ = {folder_.path(), file, "kernel.o", {nvcc, "-std=c++17", "-arch=sm_90", "-c", file, "-o", "kernel.o"}};
    const auto found = frontend::find_kernels(command_, {});
    ASSERT_TRUE(found && found->kernels.size() == 1);
    spec_ = found->kernels.front().spec;
    auto opened = Evaluator::open(spec_, command_, {}, runner_, executor_);
    ASSERT_TRUE(opened) << opened.error().message();
    judge_ = std::move(*opened);
    judge_->prepare_for_trials("", {});
  }

  // Whether the object's device code stands where other code than nvcc's is put.
  static bool is_exchanged(const std::string& object) {
    for (const ElfSection& section : elf_sections(object))
      if (section.name == ".hone_device_code")
        return std::ranges::any_of(object.substr(section.offset, section.size), [](char c) { return c != '\0'; });
    ADD_FAILURE() << "the object has no room for other code";
    return false;
  }

  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-trial-compile").value();
  os::PosixProcessRunner runner_;
  AgreeingExecutor executor_;
  CompileCommand command_;
  KernelSpec spec_;
  std::unique_ptr<Evaluator> judge_;
};

TEST_F(TrialCompile, ReplacesDeviceCodeOnly) {
  const auto compiled = judge_->compile_for_trial(candidate, {});
  ASSERT_TRUE(compiled && std::holds_alternative<compile::Objects>(*compiled));
  ASSERT_TRUE(judge_->run(std::get<compile::Objects>(*compiled), {}, {}));
  EXPECT_TRUE(is_exchanged(executor_.last.candidate));
  EXPECT_FALSE(is_exchanged(executor_.last.reference));
}

TEST_F(TrialCompile, UsesFullNvccCompileForWinner) {
  const auto verdict = judge_->judge(candidate, {}, bundle::Depth::held_out);
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->right) << verdict->reason;
  EXPECT_FALSE(is_exchanged(executor_.last.candidate));
}

TEST_F(TrialCompile, ReportsNvccErrorIfCandidateDoesNotCompile) {
  const auto compiled = judge_->compile_for_trial(
      "__global__ void twice(const float* x, float* y, int n) {\n  __shared__ float s[20000];\n"
      "  s[threadIdx.x] = x[0];\n  __syncthreads();\n  y[0] = s[n];\n}\n",
      {});
  ASSERT_TRUE(compiled && std::holds_alternative<Verdict>(*compiled));
  EXPECT_EQ(std::get<Verdict>(*compiled).stage, Stage::compile);
  EXPECT_THAT(std::get<Verdict>(*compiled).reason, testing::HasSubstr("too much shared data"));
}

}  // namespace
}  // namespace hone::tune
