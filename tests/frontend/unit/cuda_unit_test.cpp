// Units of CUDA kernels, compiled and linked by the real nvcc, loaded, and asked what needs no device.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/frontend/cuda_kernels.h"
#include "tests/frontend/first_error.h"
#include "tests/frontend/loaded_unit.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/unit/clause_check.h"
#include "tool/frontend/unit/double_unit.h"
#include "tool/runner/abi.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// nvcc's work on a unit.
class CompiledUnit {
 public:
  CompiledUnit(const Snippet& snippet, const KernelSpec& spec) {
    const std::string base = snippet.folder().string() + "/unit";
    EXPECT_TRUE(os::write_file_atomically(base + ".cu", whole(spec)));
    // The device's code is asked nothing but to compile: unoptimized it takes a third of the time.
    const std::string command =
        std::string(kNvcc) + " -std=c++17 -arch=sm_90 -Xcicc -O0 -Xptxas -O0 -Werror all-warnings -shared -Xcompiler " +
        "-fPIC,-Wall,-Werror,-Wno-unused-function -I" + snippet.folder().string() + " -o " + base + ".so " + base +
        ".cu > " + base + ".log 2>&1";
    compiled = std::system(command.c_str()) == 0;
    log = os::read_file(base + ".log").value_or("");
    if (compiled) handle_ = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (compiled && !handle_) log = dlerror();
  }
  ~CompiledUnit() {
    if (handle_) dlclose(handle_);
  }
  CompiledUnit(const CompiledUnit&) = delete;
  CompiledUnit& operator=(const CompiledUnit&) = delete;

  void* symbol(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }
  void problem(unsigned number, std::vector<void*> slots) const {
    reinterpret_cast<decltype(&hone_problem)>(symbol("hone_problem"))(number, slots.data());
  }
  std::vector<long long> integers(std::vector<void*> slots, unsigned count) const {
    std::vector<long long> integers(count);
    std::vector<double> reals(count);
    reinterpret_cast<decltype(&hone_evaluate)>(symbol("hone_evaluate"))(slots.data(), integers.data(), reals.data());
    return integers;
  }

  bool compiled = false;
  std::string log;

 private:
  void* handle_ = nullptr;
};

class CudaUnitKernels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { HONE_NEEDS_CUDA(); }
};

TEST_P(CudaUnitKernels, CompileWithoutWarnings) {
  const Snippet snippet = cuda_snippet(GetParam());
  const KernelSpec spec = snippet.kernel();
  const CompiledUnit unit(snippet, spec);
  ASSERT_TRUE(unit.compiled) << unit.log << whole(spec);
  for (const char* name : {"hone_call", "hone_problem", "hone_evaluate", "hone_device_error"})
    EXPECT_NE(unit.symbol(name), nullptr) << name << unit.log;
}

INSTANTIATE_TEST_SUITE_P(Kernels, CudaUnitKernels,
                         testing::Values(kGemm, kSoftmax, kCooperative, kReduce, kTemplates, kHalf, kConstant));

class CudaUnit : public testing::Test {
 protected:
  void SetUp() override { HONE_NEEDS_CUDA(); }
};

TEST_F(CudaUnit, KeepsOnlyWhatLauncherReaches) {
  const KernelSpec spec = cuda_snippet(kSoftmax).kernel();
  const std::string unit = whole(spec);
  EXPECT_THAT(spec.unit.definition, testing::StartsWith("cudaError_t softmax("));
  EXPECT_THAT(spec.unit.prologue, HasSubstr("__global__ void softmax_rows("));
  EXPECT_THAT(unit, HasSubstr("warp_sum(float value)"));
  EXPECT_THAT(unit, HasSubstr("extern __shared__ float scratch[]"));
  EXPECT_THAT(unit, HasSubstr("static int on_the_host")) << "only the host's pass calls it";
  EXPECT_THAT(unit, Not(HasSubstr("unused_helper")));
  EXPECT_THAT(unit, Not(HasSubstr("<vector>")));
  EXPECT_THAT(unit, Not(HasSubstr("#pragma hone")));
}

TEST_F(CudaUnit, EvaluatesHostExpressionsWithoutDevice) {
  const Snippet snippet = cuda_snippet(kSoftmax);
  const KernelSpec spec = snippet.kernel();
  const CompiledUnit unit(snippet, spec);
  ASSERT_TRUE(unit.compiled) << unit.log;
  int rows = 0, columns = 0;
  void* stream = nullptr;
  unit.problem(0, {nullptr, nullptr, &rows, &columns, &stream});
  EXPECT_EQ(rows, 128);
  EXPECT_EQ(columns, 100);
  EXPECT_THAT(unit.integers({nullptr, nullptr, &rows, &columns, &stream}, spec.expression_count),
              testing::ElementsAre(128, 100, 128, 100));
}

// What a host function that works on the device is given there: its own code runs here.
TEST_F(CudaUnit, PassesStreamOfCaller) {
  const Snippet snippet = cuda_snippet(R"(
static __global__ void twos(float* y) { y[0] = 2; }
#pragma hone kernel out(y[0:n]) problem(n = 4) stream(s)
void tells_stream(float* y, int n, cudaStream_t s) {
  *(cudaStream_t*)y = s;
  if (n > 4) twos<<<1, 1, 0, s>>>(y);
}
)");
  const CompiledUnit unit(snippet, snippet.kernel());
  ASSERT_TRUE(unit.compiled) << unit.log;
  int n = 4;
  char other = 0;
  void *stream = &other, *told = nullptr;
  std::vector<void*> slots{&told, &n, &stream};
  reinterpret_cast<decltype(&hone_call)>(unit.symbol("hone_call"))(slots.data(), nullptr);
  EXPECT_EQ(told, stream);
}

TEST_F(CudaUnit, LaunchesGlobalKernelAsAnnotated) {
  const Snippet snippet = cuda_snippet(kGemm);
  const KernelSpec spec = snippet.kernel();
  EXPECT_THAT(spec.unit.harness, HasSubstr("hone_kernel<<<hone_annotated.hone_grid, hone_annotated.hone_block, "
                                           "hone_annotated.hone_shared, hone_stream>>>(a, b, c, m, n, k)"));
  EXPECT_THAT(whole(spec), Not(HasSubstr("log_once"))) << "its launcher in the file is no part of it";
}

// Where there is no device, CUDA says so to the launch, and the unit passes it on.
TEST_F(CudaUnit, ReportsRejectedLaunch) {
  if (access("/dev/nvidiactl", F_OK) == 0) GTEST_SKIP() << "there is a device";
  const Snippet snippet = cuda_snippet(kGemm);
  const CompiledUnit unit(snippet, snippet.kernel());
  ASSERT_TRUE(unit.compiled) << unit.log;
  int m = 64, n = 48, k = 32;
  std::vector<void*> slots{nullptr, nullptr, nullptr, &m, &n, &k};
  reinterpret_cast<decltype(&hone_call)>(unit.symbol("hone_call"))(slots.data(), nullptr);
  using DeviceError = const char* (*)();
  const char* error = reinterpret_cast<DeviceError>(unit.symbol("hone_device_error"))();
  ASSERT_NE(error, nullptr);
  EXPECT_STRNE(error, "");
}

TEST_F(CudaUnit, CompilesVariantWithOwnKernel) {
  const Snippet snippet = cuda_snippet(kSoftmax);
  KernelSpec spec = snippet.kernel();
  spec.unit.definition =
      "static __global__ void faster(const float* x, float* y, int columns) {\n"
      "  const int i = blockIdx.x * columns + threadIdx.x;\n  y[i] = warp_sum(x[i]);\n}\n"
      "cudaError_t softmax(const float* x, float* y, int rows, int columns, cudaStream_t s) {\n"
      "  faster<<<rows, columns, 0, s>>>(x, y, columns);\n  return cudaGetLastError();\n}";
  const CompiledUnit unit(snippet, spec);
  EXPECT_TRUE(unit.compiled) << unit.log;
}

TEST_F(CudaUnit, AcceptsVariantRewrittenIntoFile) {
  const Snippet snippet = cuda_snippet(kGemm);
  const FoundKernels found = snippet.find();
  ASSERT_EQ(found.kernels.size(), 1u);
  const std::string variant =
      "#include <cuda_pipeline.h>\n__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) "
      "{ if (m > 0 && n > 0 && k > 0 && a[0] > b[0]) c[0] = 1; }\n";
  const std::string text =
      rewrite(snippet.text(), "main.cu", {{found.kernels.front().placement, variant, "hone/cas/1"}});
  EXPECT_EQ(first_error(snippet.command(), text, {}), "");
  EXPECT_THAT(first_error(snippet.command(), text + "int nowhere() { return gone; }\n", {}), HasSubstr("gone"));
  EXPECT_THAT(check_unit(found.kernels.front().spec, snippet.command(), {}), IsEmpty());
  EXPECT_EQ(fingerprint(variant), fingerprint("// faster\n" + variant));
}

// Its literals keep the value that float gave them, and what computes in float alone refuses.
TEST_F(CudaUnit, IsWrittenInDouble) {
  const auto widened_with = [](const std::string& value) {
    const Snippet snippet = cuda_snippet(R"(
__global__ void grow(const float* x, float* y, int n) {
  __shared__ float rows[64];
  rows[threadIdx.x] = expf(x[threadIdx.x]) * 0.1f;
  __syncthreads();
  if (threadIdx.x < n) y[threadIdx.x] = rows[63 - threadIdx.x] + )" + value + R"(;
}
#pragma hone kernel in(x[0:64]) out(y[0:n]) problem(n=64)
void launch(const float* x, float* y, int n) {
  cudaMemsetAsync(y, 0, n * sizeof(float));
  grow<<<1, 64>>>(x, y, n);
}
)");
    const Widening wide = widened(snippet.kernel(), snippet.command(), {});
    return wide.spec ? wide.spec->unit.prologue + wide.spec->unit.definition : wide.reason;
  };
  const std::string wide = widened_with("rsqrtf(x[0])");
  EXPECT_THAT(wide, HasSubstr("__shared__ double rows[64];"));
  EXPECT_THAT(wide, HasSubstr("exp(x[threadIdx.x]) * double(0.1f);"));
  EXPECT_THAT(wide, HasSubstr("rsqrt(x[0])"));
  EXPECT_THAT(wide, HasSubstr("cudaMemsetAsync(y, 0, n * sizeof(double));"));
  EXPECT_THAT(widened_with("__expf(x[0])"), HasSubstr("'__exp'"));
  EXPECT_THAT(widened_with("make_float2(1, 2).x"), HasSubstr("float"));
}

}  // namespace
}  // namespace hone::frontend
