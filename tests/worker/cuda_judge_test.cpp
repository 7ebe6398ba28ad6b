// The judge on a CUDA device: real kernels, compiled by nvcc, run by the real worker. Skips, and says so, where there
// is no device or no nvcc.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <future>
#include <map>

#include "tests/worker/judge_bench.h"
#include "tool/evaluate/device.h"
#include "tool/evaluate/device_sanitizer.h"
#include "tool/os/files.h"
#include "tool/os/process_runner.h"

namespace hone::test {
namespace {

using evaluate::Task;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

// A launcher on device pointers: y[i] is four times the mean of x around i, within the block of 256.
const std::string original = R"(
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float sum = 0;
  for (int k = 0; k < 64; ++k) sum = sum + x[i] * 0.0625f;
  y[i] = sum;
}
void kernel(const float* x, float* y, int n) { step<<<(n + 255) / 256, 256>>>(x, y, n); }
)";

// What a candidate puts in place of the body of its one kernel; `launch` in place of the launcher's.
std::string with(const std::string& body, const std::string& launch = "step<<<(n + 255) / 256, 256>>>(x, y, n);",
                 const std::string& before = "") {
  return before + "\n__global__ void step(const float* x, float* y, int n) {\n" + body +
         "\n}\nvoid kernel(const float* x, float* y, int n) { " + launch + " }\n";
}

const std::string index = "const int i = blockIdx.x * blockDim.x + threadIdx.x; ";

std::string nvcc() {
  for (const char* path : {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"})
    if (access(path, X_OK) == 0) return path;
  return "";
}

std::string compile_cuda(const std::string& body, const std::vector<int>& sizes) {
  static const os::TemporaryFolder folder = os::TemporaryFolder::create("hone-cuda-test").value();
  static std::map<std::string, std::string> made;
  const std::string unit = Saxpy::unit(body, sizes) +
                           "extern \"C\" const char* hone_device_error() { const cudaError_t e = cudaGetLastError(); "
                           "return e == cudaSuccess ? "
                           "nullptr : cudaGetErrorString(e); }\n";
  std::string& object = made[unit];
  if (!object.empty()) return object;
  const auto text = folder.path() / fmt::format("unit{}.cu", made.size());
  const auto output = folder.path() / fmt::format("unit{}.so", made.size());
  EXPECT_TRUE(os::write_file_atomically(text, unit));
  os::PosixProcessRunner runner;
  const auto exit = runner.run({.arguments = {nvcc(), "-std=c++17", "-O3", "-lineinfo", "-arch=native", "-shared",
                                              "-Xcompiler=-fPIC", text.string(), "-o", output.string()}});
  EXPECT_TRUE(exit && exit->ok()) << (exit ? exit->err : exit.error().message());
  return object = os::read_file(output).value_or("");
}

evaluate::AcceptanceRule quick() {
  evaluate::AcceptanceRule rule;
  rule.looks = {0.1, 0.3};
  rule.shares = {};
  return rule;
}

class CudaJudge : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto device = evaluate::Device::open(0);
    if (!device) GTEST_SKIP() << device.error().message();
    if (nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
  }

  Verdict judge_cuda(const std::string& candidate, Task task = Task::candidate) {
    static std::uint64_t seed = 777;
    const std::vector<int> sizes{1 << 20, 999983};
    evaluate::Bundle bundle;
    bundle.spec = Saxpy::spec(sizes);
    bundle.spec.cuda = true;
    bundle.plan.task = task;
    bundle.plan.seed = ++seed;
    bundle.plan.rule = quick();
    bundle.reference = compile_cuda(original, sizes);
    if (!candidate.empty()) bundle.candidate = compile_cuda(candidate, sizes);
    double seconds = 0;
    const Verdict verdict = judge(bundle, &seconds);
    fmt::print("  {:.2f} s: {}{}\n", seconds, verdict.right ? "right; " : "", verdict.reason);
    return verdict;
  }

  std::string why_refused(const std::string& candidate) {
    const Verdict verdict = judge_cuda(candidate);
    EXPECT_FALSE(verdict.right);
    return verdict.reason + "\n" + verdict.detail;
  }
};

TEST_F(CudaJudge, FindsTheOriginalDeterministicAndClean) {
  const Verdict verdict = judge_cuda("", Task::reference);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
}

TEST_F(CudaJudge, AcceptsWhatIsRightAndFaster) {
  const Verdict verdict = judge_cuda(with(index + "if (i < n) y[i] = 4 * x[i];"));
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_TRUE(verdict.faster) << verdict.reason;
  EXPECT_FALSE(verdict.sandbox.empty());
}

TEST_F(CudaJudge, DoesNotAcceptTheOriginalItself) {
  const Verdict verdict = judge_cuda(original);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
}

TEST_F(CudaJudge, AcceptsAnotherGeometry) {
  const Verdict verdict = judge_cuda(
      with("for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 4 * x[i];",
           "step<<<264, 1024>>>(x, y, n);"));
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
}

TEST_F(CudaJudge, NamesTheFirstWrongElement) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) y[i] = i == 4 ? 7 : 4 * x[i];")), HasSubstr("y[4] is 7, expected"));
}

TEST_F(CudaJudge, SeesWhatIsNotWritten) {
  EXPECT_THAT(why_refused(with(index + "if (i < n - 1) y[i] = 4 * x[i];")), HasSubstr("was not written"));
}

TEST_F(CudaJudge, SeesAWriteBehindTheEnd) {
  EXPECT_THAT(why_refused(with(index + "if (i <= n) y[i] = 4 * x[min(i, n - 1)];")),
              AnyOf(HasSubstr("one element past the end of y"), HasSubstr("Invalid __global__ write")));
}

TEST_F(CudaJudge, SeesAWriteBeforeTheStart) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) y[i] = 4 * x[i]; if (i == 0) y[-1] = 0;")),
              AnyOf(HasSubstr("before the start of y"), HasSubstr("Invalid __global__ write")));
}

TEST_F(CudaJudge, SeesAReadBehindTheEnd) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) y[i] = 4 * x[i] + 0 * x[i + 1];")),
              AnyOf(HasSubstr("Invalid __global__ read"), HasSubstr("dependent on memory"), HasSubstr("y[")));
}

TEST_F(CudaJudge, SeesAWriteToAnInput) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) { y[i] = 4 * x[i]; ((float*)x)[i] = 0; }")),
              AnyOf(HasSubstr("failed on the device"), HasSubstr("changed an input")));
}

TEST_F(CudaJudge, SeesARaceInSharedMemory) {
  EXPECT_THAT(why_refused(with("__shared__ float s[256]; " + index +
                               "s[threadIdx.x] = i < n ? x[i] : 0;\n"
                               "const int t = threadIdx.x ^ 37; const int j = blockIdx.x * 256 + t;\n"
                               "if (j < n) y[j] = 4 * s[t];")),
              AnyOf(HasSubstr("racecheck"), HasSubstr("y[")));
}

TEST_F(CudaJudge, SeesAReadOfWhatWasNeverWritten) {
  const std::string reason = why_refused(with(index + "if (i < n) y[i] = 4 * x[i] + 0 * y[i];"));
  EXPECT_THAT(reason, AnyOf(HasSubstr("initcheck"), HasSubstr("y[")));
}

TEST_F(CudaJudge, SeesWorkOnASideStreamThatNobodyWaitsFor) {
  const Verdict verdict = judge_cuda(
      with(index + "if (i < n) y[i] = 4 * x[i];",
           "cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); step<<<(n + 255) / 256, 256, 0, "
           "s>>>(x, y, n); cudaStreamDestroy(s);"));
  EXPECT_TRUE(!verdict.right || !verdict.faster || verdict.measurement.speedup.median < 40) << verdict.reason;
}

TEST_F(CudaJudge, EndsAKernelThatNeverEnds) {
  EXPECT_THAT(why_refused(with(index + "while (clock64() != 0) __nanosleep(100); y[i] = x[i];")),
              HasSubstr("did not end within"));
}

TEST_F(CudaJudge, SaysThatALaunchWasRefused) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) y[i] = 4 * x[i];", "step<<<(n + 4095) / 4096, 4096>>>(x, y, n);")),
              AnyOf(HasSubstr("invalid configuration argument"), HasSubstr("invalid argument")));
}

TEST_F(CudaJudge, SurvivesAnAssertionOnTheDevice) {
  EXPECT_THAT(why_refused(with(index + "assert(i < 0); y[i] = 0;", "step<<<1, 32>>>(x, y, n);", "#include <cassert>")),
              HasSubstr("failed on the device"));
}

TEST_F(CudaJudge, SeesAResultRememberedFromTheFirstCall) {
  EXPECT_THAT(
      why_refused(with(index + "if (i < n) y[i] = 4 * x[i];",
                       "static int calls = 0; if (calls++ < 40) step<<<(n + 255) / 256, 256>>>(x, y, n);")),
      AnyOf(HasSubstr("while timed"), HasSubstr("after it was timed"), HasSubstr("was not written"), HasSubstr("y[")));
}

TEST_F(CudaJudge, SeesAContextThatWasDestroyed) {
  const std::string reason = why_refused(
      with(index + "if (i < n) y[i] = 4 * x[i];", "step<<<(n + 255) / 256, 256>>>(x, y, n); cudaDeviceReset();"));
  EXPECT_FALSE(reason.empty());
}

TEST(DeviceSanitizer, ReadsWhatMemcheckSays) {
  const auto found = evaluate::first_device_finding(
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ write of size 4 bytes\n"
      "=========     at step(const float *, float *, int)+0x90 in unit.cu:8\n"
      "=========     by thread (0,0,0) in block (4,0,0)\n"
      "========= ERROR SUMMARY: 1 error\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sentence,
            "Invalid __global__ write of size 4 bytes in step(const float *, float *, int), unit.cu:8");
  EXPECT_FALSE(evaluate::first_device_finding("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"));
}

}  // namespace
}  // namespace hone::test
