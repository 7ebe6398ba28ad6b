// What a candidate must be like that launches kernels of its own in place of a __global__ kernel's launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/frontend/cuda_kernels.h"
#include "tests/frontend/cuda_launches.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The gate, one parse of the headers for all of the tests.
class CudaLaunchGate : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!has_cuda()) return;
    snippet_.emplace(cuda_snippet(file(kKernel, kSites)));
    gate_.emplace(Gate::open(snippet_->kernel(), snippet_->command(), {}).value());
  }
  static void TearDownTestSuite() {
    gate_.reset();
    snippet_.reset();
  }
  void SetUp() override { HONE_NEEDS_CUDA(); }

  static std::string check(const std::string& candidate) { return gate_->check(candidate); }
  // Behind the original kernel and one of its own.
  static std::string check_launcher(const std::string& body) { return check(kKernel + kOwnKernel + launcher(body)); }

  static std::optional<Snippet> snippet_;
  static std::optional<Gate> gate_;
};
std::optional<Snippet> CudaLaunchGate::snippet_;
std::optional<Gate> CudaLaunchGate::gate_;

TEST_F(CudaLaunchGate, AcceptsOwnLaunches) {
  EXPECT_EQ(check(kCandidate), "");
  EXPECT_EQ(check(kKernel + snippet_->kernel().own_launch.definition), "");
  EXPECT_EQ(check("#include <cuda_fp16.h>\n" + kCandidate), "");
  EXPECT_EQ(check(kKernel + launcher("  scale<<<(n + 63) / 64, 64, 0, stream>>>(x, n);\n")), "")
      << "the original with other blocks";
  EXPECT_EQ(check_launcher("  void* workspace = nullptr;\n  cudaMallocAsync(&workspace, 64, stream);\n"
                           "  cudaMemsetAsync(workspace, 0, 64, stream);\n"
                           "  cudaFuncSetAttribute(four, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);\n"
                           "  four<<<(n + 1023) / 1024, 256, 65536, stream>>>(x, n);\n"
                           "  cudaFreeAsync(workspace, stream);\n"),
            "");
}

TEST_F(CudaLaunchGate, AcceptsLaunchWithAttributesOnGivenStream) {
  const std::string made =
      "  cudaLaunchConfig_t config = {};\n  config.gridDim = dim3((n + 1023) / 1024);\n"
      "  config.blockDim = dim3(256);\n";
  const std::string launch = "  cudaLaunchKernelEx(&config, four, x, n);\n";
  EXPECT_EQ(check_launcher(made + "  config.stream = stream;\n" + launch), "");
  EXPECT_EQ(check_launcher("  cudaLaunchConfig_t config = {dim3(1), dim3(256), 0, stream, nullptr, 0};\n" + launch),
            "");
  EXPECT_THAT(check_launcher(made + launch), HasSubstr("set the configuration's stream"));
  EXPECT_THAT(check_launcher(made + "  config.stream = nullptr;\n" + launch), HasSubstr("another stream"));
}

TEST_F(CudaLaunchGate, AcceptsOtherKernelWithOriginalLaunch) {
  EXPECT_EQ(check("static __global__ void scale(float* __restrict__ x, int n) {\n"
                  "  const int i = blockIdx.x * 256 + threadIdx.x;\n  if (i < n) x[i] += x[i];\n}\n"),
            "");
}

TEST_F(CudaLaunchGate, RequiresOriginalKernelFirst) {
  std::string other = kCandidate;
  other.replace(other.find("*= 2"), 4, "+= x[i]");
  EXPECT_THAT(check(other), AllOf(HasSubstr("<candidate>:3"), HasSubstr("begins with the original kernel, unchanged")));
  EXPECT_THAT(check(kOwnKernel + kKernel + launcher("  four<<<1, 1, 0, stream>>>(x, n);\n")),
              HasSubstr("begins with the original"));
  EXPECT_THAT(check(kOwnKernel + launcher("  four<<<1, 1, 0, stream>>>(x, n);\n")),
              HasSubstr("begins with the original"));
}

TEST_F(CudaLaunchGate, RequiresExactLauncherSignature) {
  const std::string body = " four<<<1, 1, 0, stream>>>(x, n); }\n", front = kKernel + kOwnKernel;
  for (const char* head : {"static void hone_launch_scale(float* x, cudaStream_t stream, int n) {",
                           "static void hone_launch_scale(float* x, long n, cudaStream_t stream) {",
                           "static void hone_launch_scale(const float*, int n, cudaStream_t stream) { float* x = 0;",
                           "void hone_launch_scale(float* x, int n, cudaStream_t stream) {",
                           "template <class T> static void hone_launch_scale(T* x, int n, cudaStream_t stream) {"})
    EXPECT_THAT(check(front + head + body),
                AllOf(HasSubstr("<candidate>:9"),
                      testing::AnyOf(HasSubstr("'static void hone_launch_scale(float *x, int n, cudaStream_t stream)'"),
                                     HasSubstr("make it static"))))
        << head;
  EXPECT_THAT(check(front + "static void hone_launch_scale(float* x, int n, cudaStream_t stream);\n"),
              HasSubstr("must define 'static void hone_launch_scale("));
  EXPECT_THAT(check(front + "static int other(float* x) { int hone_launch_scale = 1; return hone_launch_scale; }\n"),
              HasSubstr("must define 'static void hone_launch_scale("));
}

TEST_F(CudaLaunchGate, RejectsOtherStream) {
  for (const char* launch : {"  four<<<1, 256>>>(x, n);\n", "  four<<<1, 256, 0, 0>>>(x, n);\n",
                             "  cudaStream_t other = stream;\n  four<<<1, 256, 0, other>>>(x, n);\n",
                             "  stream = nullptr;\n  four<<<1, 256, 0, stream>>>(x, n);\n",
                             "  cudaMemsetAsync(x, 0, 4);\n  four<<<1, 256, 0, stream>>>(x, n);\n"})
    EXPECT_THAT(check_launcher(launch), HasSubstr("another stream than the one that is given")) << launch;
}

TEST_F(CudaLaunchGate, RejectsWaitingAndTakingLastError) {
  const std::string launch = "  four<<<1, 256, 0, stream>>>(x, n);\n";
  EXPECT_THAT(check_launcher(launch + "  cudaGetLastError();\n"), HasSubstr("CUDA's last error is the program's"));
  EXPECT_THAT(check_launcher(launch + "  cudaStreamSynchronize(stream);\n"), HasSubstr("does not wait"));
  EXPECT_THAT(check_launcher(launch + "  cudaDeviceSynchronize();\n"), HasSubstr("does not wait"));
  EXPECT_THAT(check_launcher("  cudaMemset(x, 0, 4);\n" + launch), HasSubstr("works on the default stream"));
  EXPECT_EQ(check_launcher(launch + "  if (cudaPeekAtLastError() != cudaSuccess) return;\n"), "");
}

TEST_F(CudaLaunchGate, RequiresStreamForCubAndRejectsThrust) {
  const auto with_cub = [](const std::string& stream) {
    return check("#include <cub/device/device_scan.cuh>\n" + kKernel +
                 launcher("  size_t bytes = 0;\n  void* workspace = nullptr;\n"
                          "  cub::DeviceScan::InclusiveSum(workspace, bytes, x, x, n" +
                          stream + ");\n"));
  };
  EXPECT_EQ(with_cub(", stream"), "");
  EXPECT_THAT(with_cub(""), HasSubstr("'InclusiveSum' works on another stream"));
  EXPECT_THAT(check("#include <thrust/sort.h>\n#include <thrust/execution_policy.h>\n" + kKernel +
                    launcher("  thrust::sort(thrust::device, x, x + n);\n")),
              HasSubstr("Thrust's algorithms wait"));
}

TEST_F(CudaLaunchGate, RejectsReservedNames) {
  EXPECT_THAT(check(kCandidate + "static void hone_launch_other() {}\n"), HasSubstr("is the judge's name"));
}

TEST_F(CudaLaunchGate, ReportsWhyKernelKeepsItsLaunch) {
  const Snippet snippet = cuda_snippet(file(kKernel, kSites + "auto* const pointer = scale;\n"));
  EXPECT_THAT(gate(snippet.kernel(), kCandidate, snippet.command(), {}),
              AllOf(HasSubstr("'hone_launch_scale' is not allowed"), HasSubstr("line 12 uses it otherwise")));
}

}  // namespace
}  // namespace hone::frontend
