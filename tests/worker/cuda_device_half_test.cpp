// Candidates whose device code alone was compiled, judged on a CUDA device: the host's half of an object launches code
// that was put into it afterwards. Skips, and says so, where there is no device, nvcc or NVRTC.
#include <cstdlib>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/cuda_bench.h"
#include "tests/worker/judge_bench.h"
#include "tool/compile/compiler.h"
#include "tool/compile/device/device_half.h"
#include "tool/judge/device/device.h"
#include "tool/os/files/files.h"

namespace hone::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

const std::string head =
    "__global__ void kernel(const float* x, float* y, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
const std::string original_half =
    head +
    "  if (i >= n) return;\n  volatile float sum = 0;\n"
    "  for (int k = 0; k < 128; ++k) sum = sum + x[i] * share[k % 2];\n  y[i] = sum;\n}\n";
const std::string faster = head + "  if (i < n) y[i] = 4 * x[i];\n}\n";

class CudaDeviceHalf : public ::testing::Test {
 protected:
  static constexpr int sizes[] = {1 << 20, 999983};

  void SetUp() override {
    if (const std::string why = why_no_device(); !why.empty()) GTEST_SKIP() << why;
    ::setenv("HONE_NVRTC", HONE_NVRTC, 1);
    const auto device = judge::Device::open(0);
    const auto& traits = (*device)->traits();
    const std::string file = folder_.path() / "kernel.cu";
    ASSERT_TRUE(os::write_file_atomically(file, ""));
    compiler_.emplace(runner_, CompileCommand{folder_.path(),
                                              file,
                                              "x.o",
                                              {nvcc(), "-std=c++17", "-O3",
                                               fmt::format("-arch=sm_{}{}", traits.major, traits.minor), "-c", file}});
    KernelSpec spec = Saxpy::spec({sizes[0], sizes[1]});
    spec.cuda = spec.global = true;
    bundle_.kernel = spec;
    bundle_.data = spec;
    spec.file = file;
    spec.unit = {.prologue = "#include <cmath>\n",
                 .opening = "namespace {\n__constant__ float share[2] = {0.03125f, 0.03125f};\n",
                 .definition = original_half,
                 .closing = "}\n",
                 .harness = harness(),
                 .definition_line = 4};
    auto unit = compiler_->freeze(spec);
    ASSERT_TRUE(unit) << unit.error().message();
    unit_ = *unit;
    auto compiled = compiler_->compile(unit_, original_half);
    ASSERT_TRUE(compiled && std::holds_alternative<compile::Objects>(*compiled));
    bundle_.reference = std::get<compile::Objects>(*compiled).plain;
    half_ = compiler_->device_half(unit_, std::get<compile::Objects>(*compiled));
    ASSERT_NE(half_, nullptr);
    if (!half_->is_nvrtc()) GTEST_SKIP() << "NVRTC is not used: " << half_->why_not_nvrtc();
  }

  // Of a launcher, but for the launch; a compiled unit shows nothing else to the outside.
  static std::string harness() {
    std::string text = cuda_saxpy_unit("", {sizes[0], sizes[1]});
    const std::string call = "kernel((const";
    text.replace(text.find(call), call.size(), "kernel<<<(*(int*)s[2] + 255) / 256, 256>>>((const");
    const std::string shown = "extern \"C\" ", attribute = "__attribute__((visibility(\"default\"))) ";
    for (std::size_t at = text.find(shown); at != std::string::npos; at = text.find(shown, at + 1))
      text.insert(at + shown.size(), attribute);
    return text;
  }

  Verdict judge_half(const std::string& candidate) {
    const auto object = half_->compile(candidate);
    EXPECT_TRUE(object && *object);
    if (!object || !*object) return {};
    bundle_.candidate = **object;
    bundle_.plan.seed += 7;
    bundle_.plan.depth = bundle::Depth::thorough;
    bundle_.plan.rule.looks = {0.1, 0.3};
    bundle_.plan.rule.shares = {};
    const Verdict verdict = judge(bundle_);
    fmt::print("  {}{}{}\n", verdict.right ? "right; " : "", verdict.reason,
               verdict.right && !verdict.detail.empty() ? "\n    " + verdict.detail : "");
    return verdict;
  }

  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-device-half").value();
  os::PosixProcessRunner runner_;
  std::optional<compile::Compiler> compiler_;
  compile::FrozenUnit unit_;
  bundle::Bundle bundle_;
  std::unique_ptr<compile::DeviceHalf> half_;
};

TEST_F(CudaDeviceHalf, IsAcceptedIfRightAndFaster) {
  const Verdict verdict = judge_half(faster);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_TRUE(verdict.faster) << verdict.reason;
}

TEST_F(CudaDeviceHalf, RunsAsFastAsNvccObjectOfSameText) {
  const Verdict verdict = judge_half(original_half);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
  EXPECT_NEAR(verdict.measurement.speedup.median, 1, 0.015);
}

TEST_F(CudaDeviceHalf, IsRefusedIfWrong) {
  const Verdict verdict = judge_half(head + "  if (i < n) y[i] = i == 4 ? 7 : 4 * x[i];\n}\n");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("y[4] is 7, expected"));
}

TEST_F(CudaDeviceHalf, IsRefusedForReadPastEnd) {
  const Verdict verdict = judge_half(head + "  if (i < n) y[i] = 4 * x[i] + 0 * x[i + 1];\n}\n");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason + verdict.detail,
              AnyOf(HasSubstr("Invalid __global__ read"), HasSubstr("dependent on memory"), HasSubstr("y[")));
}

}  // namespace
}  // namespace hone::test
