// The judge on a CUDA device: real kernels, compiled by nvcc, run by the real worker. Skips, and says so, where there
// is no device or no nvcc.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/cuda_bench.h"
#include "tests/worker/judge_bench.h"
#include "tests/worker/launched_kernel.h"
#include "tool/judge/count/ncu.h"
#include "tool/judge/verify/compute_sanitizer.h"
#include "tool/os/files/files.h"

namespace hone::test {
namespace {

using bundle::Task;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A launcher on device pointers: y[i] is four times the mean of x around i, within the block of 256.
const std::string original = R"(
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float sum = 0;
  for (int k = 0; k < 128; ++k) sum = sum + x[i] * 0.03125f;
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

statistics::AcceptanceRule quick() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.1, 0.3};
  rule.shares = {};
  return rule;
}

class CudaJudge : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_device(); !why.empty()) GTEST_SKIP() << why;
  }

  bundle::Answer judge_cuda(const std::string& candidate, Task task = Task::candidate) {
    bundle::Bundle bundle = cuda_saxpy(original, candidate, {1 << 20, 999983});
    bundle.plan.task = task;
    bundle.plan.rule = quick();
    bundle.plan.depth = bundle::Depth::thorough;  // whatever its speed, compute-sanitizer looks at it
    double seconds = 0;
    const bundle::Answer verdict = judge(bundle, &seconds);
    fmt::print("  {:.2f} s: {}{}{}\n", seconds, verdict.right ? "right; " : "", verdict.reason,
               verdict.right && !verdict.detail.empty() ? "\n    " + verdict.detail : "");
    return verdict;
  }

  std::string why_refused(const std::string& candidate) {
    const Verdict verdict = judge_cuda(candidate);
    EXPECT_FALSE(verdict.right);
    return verdict.reason + "\n" + verdict.detail;
  }
};

TEST_F(CudaJudge, AcceptsDeterministicOriginal) {
  const Verdict verdict = judge_cuda("", Task::reference);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
}

TEST_F(CudaJudge, AcceptsRightAndFasterCandidate) {
  const Verdict verdict = judge_cuda(with(index + "if (i < n) y[i] = 4 * x[i];"));
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_TRUE(verdict.faster) << verdict.reason;
  EXPECT_FALSE(verdict.sandbox.empty());
  EXPECT_THAT(verdict.detail,
              AllOf(HasSubstr("TB/s that this device copies"), Not(HasSubstr("compute-sanitizer could not be used"))));
}

TEST_F(CudaJudge, DoesNotCallIdenticalCandidateFaster) {
  const Verdict verdict = judge_cuda(original);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
  EXPECT_NEAR(verdict.measurement.speedup.median, 1, 0.015);
}

// What the last kernel left there is mostly nothing, or its own: whoever reads it before it is written finds noise.
TEST_F(CudaJudge, RefusesUseOfUnwrittenSharedMemory) {
  const std::string reading = with("extern __shared__ volatile unsigned left[]; " + index +
                                       "const unsigned found = left[threadIdx.x] | left[threadIdx.x + 4096]; if (i < "
                                       "n) y[i] = found ? 0 : 4 * x[i]; "
                                       "left[threadIdx.x] = 0; left[threadIdx.x + 4096] = 0;",
                                   "step<<<(n + 255) / 256, 256, 40000>>>(x, y, n);");
  EXPECT_THAT(why_refused(reading), HasSubstr("is 0, expected"));
}

TEST_F(CudaJudge, AcceptsSharedMemoryThatIsWrittenFirst) {
  const Verdict verdict =
      judge_cuda(with("extern __shared__ float scratch[]; " + index +
                          "if (i < n) { scratch[threadIdx.x] = x[i] * 2; y[i] = scratch[threadIdx.x] * 2; }",
                      "step<<<(n + 255) / 256, 256, 1024>>>(x, y, n);"));
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
}

TEST_F(CudaJudge, MeasuresDevicePeakRatesOnRequest) {
  bundle::Bundle bundle = cuda_saxpy(original, original, {1 << 20});
  bundle.plan.task = Task::measure;
  bundle.plan.rule = quick();
  bundle.plan.wants_rates = true;
  double seconds = 0;
  const bundle::Answer verdict = judge(bundle, &seconds);
  ASSERT_TRUE(verdict.rates) << verdict.reason;
  const DeviceRates& rates = *verdict.rates;
  fmt::print("  {:.2f} s: {}: copies {:.4g} B/s; float {:.4g}, double {:.4g}, half {:.4g}, tensor cores {:.4g} op/s\n",
             seconds, rates.device, rates.copied, rates.on_float, rates.on_double, rates.on_half,
             rates.on_tensor_cores);
  for (const auto& [name, limit] : device_limits) EXPECT_GT(rates.limits.*limit, 0u) << name;
  for (const double rate : {rates.copied, rates.on_float, rates.on_double, rates.on_half}) EXPECT_GT(rate, 1e9);
  EXPECT_EQ(verdict.measurement.problems.at(0).bytes, 2 * 4 * (1 << 20));
}

TEST_F(CudaJudge, AcceptsOtherLaunchGeometry) {
  const Verdict verdict = judge_cuda(
      with("for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 4 * x[i];",
           "step<<<264, 1024>>>(x, y, n);"));
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
}

// A __global__ kernel, by the harness that the frontend writes; a candidate may have launches of its own.
class CudaLaunchJudge : public CudaJudge {
 protected:
  Verdict judge_launched(const std::string& candidate, Task task = Task::candidate) {
    const std::string harness = "\n" + os::read_file(HONE_LAUNCHED_HARNESS).value_or("");
    bundle::Bundle bundle;
    const KernelSpec spec = Saxpy::spec({1 << 20, 999983});
    bundle.kernel = spec;
    bundle.data = spec;
    bundle.data.cuda = true;
    bundle.data.expression_count = 2;
    bundle.data.parameters[1].extent.front().length = 1;
    bundle.plan.seed = 4711;
    bundle.plan.task = task;
    bundle.plan.rule = quick();
    bundle.plan.depth = bundle::Depth::thorough;
    std::string complaint;
    bundle.reference = compile_cuda_unit(launched_kernel + harness, &complaint);
    EXPECT_NE(bundle.reference, "") << complaint;
    if (!candidate.empty()) bundle.candidate = compile_cuda_unit(candidate + harness, &complaint);
    if (!candidate.empty()) EXPECT_NE(bundle.candidate, "") << complaint;
    return judge(bundle);
  }
};

TEST_F(CudaLaunchJudge, AcceptsDeterministicOriginal) {
  const Verdict verdict = judge_launched("", Task::reference);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
}

TEST_F(CudaLaunchJudge, DoesNotCallOriginalLaunchFaster) {
  const Verdict verdict = judge_launched(with_own_launch("step<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);"));
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
  EXPECT_NEAR(verdict.measurement.speedup.median, 1, 0.015);
}

TEST_F(CudaLaunchJudge, AcceptsFasterLaunchOfCandidate) {
  const Verdict verdict =
      judge_launched(with_own_launch("four_at_a_time<<<(n + 1023) / 1024, 256, 0, stream>>>(x, y, n);"));
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_TRUE(verdict.faster) << verdict.reason;
}

TEST_F(CudaLaunchJudge, RefusesLaunchThatLeavesElementsOut) {
  const Verdict verdict =
      judge_launched(with_own_launch("four_at_a_time<<<n / 1024 + (n < 1024), 256, 0, stream>>>(x, y, n);"));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("y["));
}

TEST_F(CudaJudge, ReportsFirstWrongElement) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) y[i] = i == 4 ? 7 : 4 * x[i];")), HasSubstr("y[4] is 7, expected"));
}

TEST_F(CudaJudge, RefusesUnwrittenOutput) {
  EXPECT_THAT(why_refused(with(index + "if (i < n - 1) y[i] = 4 * x[i];")), HasSubstr("was not written"));
}

TEST_F(CudaJudge, RefusesWritePastEnd) {
  EXPECT_THAT(why_refused(with(index + "if (i <= n) y[i] = 4 * x[min(i, n - 1)];")),
              AnyOf(HasSubstr("one element past the end of y"), HasSubstr("Invalid __global__ write")));
}

TEST_F(CudaJudge, RefusesWriteBeforeStart) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) y[i] = 4 * x[i]; if (i == 0) y[-1] = 0;")),
              AnyOf(HasSubstr("before the start of y"), HasSubstr("Invalid __global__ write")));
}

TEST_F(CudaJudge, RefusesReadPastEnd) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) y[i] = 4 * x[i] + 0 * x[i + 1];")),
              AnyOf(HasSubstr("Invalid __global__ read"), HasSubstr("dependent on memory"), HasSubstr("y[")));
}

TEST_F(CudaJudge, RefusesWriteToInput) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) { y[i] = 4 * x[i]; ((float*)x)[i] = 0; }")),
              AnyOf(HasSubstr("failed on the device"), HasSubstr("changed an input")));
}

TEST_F(CudaJudge, RefusesRaceInSharedMemory) {
  EXPECT_THAT(why_refused(with("__shared__ float s[256]; " + index +
                               "s[threadIdx.x] = i < n ? x[i] : 0;\n"
                               "const int t = threadIdx.x ^ 37; const int j = blockIdx.x * 256 + t;\n"
                               "if (j < n) y[j] = 4 * s[t];")),
              AnyOf(HasSubstr("racecheck"), HasSubstr("y[")));
}

TEST_F(CudaJudge, RefusesReadOfUnwrittenOutput) {
  const std::string reason = why_refused(with(index + "if (i < n) y[i] = 4 * x[i] + 0 * y[i];"));
  EXPECT_THAT(reason, AnyOf(HasSubstr("initcheck"), HasSubstr("y[")));
}

const std::string four_times = index + "if (i < n) y[i] = 4 * x[i];";

// A launcher on a stream of its own, made once; `before` and `after` put it in order with the caller's, or do not.
std::string on_a_side_stream(const std::string& before, const std::string& after) {
  return with(four_times,
              "static cudaStream_t s; static cudaEvent_t e; if (!s) { cudaStreamCreateWithFlags(&s, "
              "cudaStreamNonBlocking); cudaEventCreateWithFlags(&e, cudaEventDisableTiming); }\n" +
                  before + " step<<<(n + 255) / 256, 256, 0, s>>>(x, y, n); " + after);
}
const std::string waits_for_its_caller = "cudaEventRecord(e, 0); cudaStreamWaitEvent(s, e);";
const std::string lets_its_caller_wait = "cudaEventRecord(e, s); cudaStreamWaitEvent(0, e);";

TEST_F(CudaJudge, RefusesUnorderedSideStream) {
  EXPECT_THAT(why_refused(on_a_side_stream("", "")), HasSubstr("not in the order of its caller's stream"));
}

TEST_F(CudaJudge, RefusesSideStreamThatDoesNotWaitForCaller) {
  EXPECT_THAT(why_refused(on_a_side_stream("", lets_its_caller_wait)),
              HasSubstr("not in the order of its caller's stream"));
}

TEST_F(CudaJudge, RefusesSideStreamThatCallerDoesNotWaitFor) {
  EXPECT_THAT(why_refused(on_a_side_stream(waits_for_its_caller, "")),
              HasSubstr("not in the order of its caller's stream"));
}

TEST_F(CudaJudge, AcceptsOrderedSideStream) {
  const Verdict verdict = judge_cuda(on_a_side_stream(waits_for_its_caller, lets_its_caller_wait));
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
}

// Through the driver, in a context that the runner's wait does not know.
TEST_F(CudaJudge, RefusesWorkInAnotherContext) {
  EXPECT_THAT(why_refused(with(four_times, R"(
  static void* mine = another_context();
  step<<<(n + 255) / 256, 256>>>(x, y, n);
  driver_call("cuCtxPushCurrent_v2", mine);
  spin<<<1, 1>>>();
  void* popped;
  driver_call("cuCtxPopCurrent_v2", &popped);
)",
                               R"(
#include <dlfcn.h>
__global__ void spin() {
  const long long start = clock64();
  while (clock64() - start < 100000) {}
}
void* driver_function(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  void* const found = dlsym(driver, name);
  if (!found) abort();
  return found;
}
void driver_call(const char* name, void* argument) {
  if (((int (*)(void*))driver_function(name))(argument)) abort();
}
void* another_context() {
  void *made, *left;
  cudaFree(nullptr);
  if (((int (*)(void**, unsigned, int))driver_function("cuCtxCreate_v2"))(&made, 0, 0)) abort();
  driver_call("cuCtxPopCurrent_v2", &left);
  return made;
}
)")),
              AnyOf(HasSubstr("leaves work on the device"), HasSubstr("keeps the device busy")));
}

TEST_F(CudaJudge, StopsEndlessKernel) {
  EXPECT_THAT(why_refused(with(index + "while (clock64() != 0) __nanosleep(100); y[i] = x[i];")),
              HasSubstr("did not end within"));
}

TEST_F(CudaJudge, ReportsInvalidLaunchConfiguration) {
  EXPECT_THAT(why_refused(with(index + "if (i < n) y[i] = 4 * x[i];", "step<<<(n + 4095) / 4096, 4096>>>(x, y, n);")),
              AnyOf(HasSubstr("invalid configuration argument"), HasSubstr("invalid argument")));
}

TEST_F(CudaJudge, SurvivesFailedDeviceAssertion) {
  EXPECT_THAT(why_refused(with(index + "assert(i < 0); y[i] = 0;", "step<<<1, 32>>>(x, y, n);", "#include <cassert>")),
              HasSubstr("failed on the device"));
}

TEST_F(CudaJudge, RefusesKernelThatStopsLaunching) {
  EXPECT_THAT(
      why_refused(with(index + "if (i < n) y[i] = 4 * x[i];",
                       "static int calls = 0; if (calls++ < 40) step<<<(n + 255) / 256, 256>>>(x, y, n);")),
      AnyOf(HasSubstr("while timed"), HasSubstr("after it was timed"), HasSubstr("was not written"), HasSubstr("y[")));
}

TEST_F(CudaJudge, RefusesCandidateThatDestroysContext) {
  const std::string reason = why_refused(
      with(index + "if (i < n) y[i] = 4 * x[i];", "step<<<(n + 255) / 256, 256>>>(x, y, n); cudaDeviceReset();"));
  EXPECT_FALSE(reason.empty());
}

// Task::count: what ncu reads, in the sandbox. Where it may not, the verdict says why, and the test skips with that.
class CudaProfile : public CudaJudge {
 protected:
  DeviceProfile profile_of(const std::string& candidate) {
    const bundle::Answer verdict = judge_cuda(candidate, Task::count);
    if (verdict.profile) return *verdict.profile;
    why_ = verdict.reason + "\n" + verdict.detail;
    return {};
  }
  std::string why_;
};

TEST_F(CudaProfile, CountsEachLaunchOfOneCall) {
  const DeviceProfile profile =
      profile_of(with(index + "if (i < n) y[i] = 4 * x[i];",
                      "step<<<(n + 255) / 256, 256>>>(x, y, n); for (int k = 0; k < 3; ++k) tiny<<<1, 32>>>(y, 4 * k);",
                      "__global__ void tiny(float* y, int by) { if (threadIdx.x == 0 && by < 0) y[0] = by; }"));
  if (profile.launches == 0) GTEST_SKIP() << why_;
  EXPECT_EQ(profile.launches, 4u) << "of the counted call alone";
  ASSERT_EQ(profile.kernels.size(), 2u);
  const bool step_first = profile.kernels.front().kernel.find("step(") != std::string::npos;  // the longer in sum
  const LaunchCounters& step = step_first ? profile.kernels.front() : profile.kernels.back();
  const LaunchCounters& tiny = step_first ? profile.kernels.back() : profile.kernels.front();
  EXPECT_THAT(step.kernel, HasSubstr("step("));
  EXPECT_EQ(step.times, 1u);
  EXPECT_EQ(tiny.times, 3u);
  for (const hone::LaunchFigure& figure : hone::launch_figures())
    EXPECT_TRUE((step.*figure.value).has_value()) << "ncu does not tell " << figure.metric;
  // At least the input is read: four bytes each.
  EXPECT_GT(step.bytes_read.value_or(0), 0.9 * 4 * 999983);
  EXPECT_GT(step.memory_share.value_or(0), tiny.memory_share.value_or(1));
  EXPECT_THAT(profile.problem, HasSubstr("n="));
}

TEST_F(CudaProfile, ReportsMoreSectorsForScatteredLoads) {
  const DeviceProfile neat = profile_of(with(index + "if (i < n) y[i] = 4 * x[i];"));
  if (neat.launches == 0) GTEST_SKIP() << why_;
  const DeviceProfile scattered = profile_of(with(index + "if (i < n) y[i] = 4 * x[(int)((long long)i * 4099 % n)];"));
  EXPECT_NEAR(neat.kernels.front().load_sectors.value_or(0), 4, 0.5);
  EXPECT_GT(scattered.kernels.front().load_sectors.value_or(0), 24);
}

TEST(DeviceSanitizer, ReadsFirstMemcheckFinding) {
  const auto found = judge::first_finding(
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ write of size 4 bytes\n"
      "=========     at step(const float *, float *, int)+0x90 in unit.cu:8\n"
      "=========     by thread (0,0,0) in block (4,0,0)\n"
      "========= ERROR SUMMARY: 1 error\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sentence,
            "Invalid __global__ write of size 4 bytes in step(const float *, float *, int), unit.cu:8");
  EXPECT_FALSE(judge::first_finding("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"));
}

}  // namespace
}  // namespace hone::test
