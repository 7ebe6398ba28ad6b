// Candidates for a CUDA device: honest ones pass, and what reaches beyond the call is named with its line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/frontend/cuda_kernels.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// One parse of the headers for all of the tests.
class CudaGate : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!has_cuda()) return;
    snippet_.emplace(cuda_snippet(kSoftmax));
    gate_.emplace(Gate::open(snippet_->kernel(), snippet_->command(), {}).value());
  }
  static void TearDownTestSuite() {
    gate_.reset();
    snippet_.reset();
  }
  void SetUp() override { HONE_NEEDS_CUDA(); }

  static std::string check(const std::string& candidate) { return gate_->check(candidate); }

  // A kernel and the launcher, with this in the kernel's body, in the launcher's, and in front of both.
  static std::string check(const std::string& body, const std::string& host, const std::string& front = "") {
    return check(front + "static __global__ void mine(const float* x, float* y, int columns) {\n" + body +
                 "\n  y[0] = x[0] + columns;\n}\n" + launcher(host + "\n  mine<<<rows, 32, 0, s>>>(x, y, columns);"));
  }
  static std::string launcher(const std::string& body) {
    return "cudaError_t softmax(const float* x, float* y, int rows, int columns, cudaStream_t s) {\n  " + body +
           "\n  return cudaGetLastError();\n}\n";
  }

  static std::optional<Snippet> snippet_;
  static std::optional<Gate> gate_;
};
std::optional<Snippet> CudaGate::snippet_;
std::optional<Gate> CudaGate::gate_;

TEST_F(CudaGate, AcceptsOwnKernels) {
  EXPECT_EQ(check("", ""), "");
  EXPECT_EQ(check(launcher("softmax_rows<<<rows, 64, columns * sizeof(float), s>>>(x, y, columns);")), "");
  EXPECT_EQ(check("  extern __shared__ float dynamic[];\n  __shared__ alignas(16) float tile[32][33];\n"
                  "  static __shared__ int flags[4];\n  tile[threadIdx.x][0] = kTable[1] + other(x[0]);\n"
                  "  dynamic[0] = tile[0][0]; flags[0] = 1;\n  __syncthreads();",
                  "",
                  "static __constant__ float kTable[2] = {1, 2};\nstatic __device__ const float kOther[2] = {3, 4};\n"
                  "__device__ __forceinline__ static float other(float v) { return __expf(v) * kOther[0]; }\n"),
            "");
}

// Lane by lane, with this between the sum's beginning and its place.
std::string lane_sum(const std::string& first, const std::string& adding) {
  return "  const int lane = threadIdx.x, row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;\n  " + first +
         "\n  float sum = x[lane];\n  for (int s = 16; s > 0; s /= 2) " + adding + "\n  if (row >= 0) y[lane] = sum;";
}

TEST_F(CudaGate, RefusesSumOverLanesThatReturned) {
  constexpr const char* kAdd = "sum += __shfl_down_sync(0xffffffffu, sum, s);";
  const auto reason = HasSubstr("some may have returned above");
  EXPECT_THAT(check(lane_sum("if (lane >= columns) return;", kAdd), ""), AllOf(HasSubstr(":5:"), reason));
  EXPECT_THAT(check(lane_sum("if (lane % 32 > columns || columns < 0) { y[1] = 0; return; }",
                             "sum = fmaxf(sum, __shfl_xor_sync(~0u, sum, s));"),
                    ""),
              reason);
}

TEST_F(CudaGate, AcceptsSumsOfLanesThatAreThere) {
  constexpr const char* kAdd = "sum += __shfl_down_sync(0xffffffffu, sum, s);";
  for (const char* whole : {"", "if (row >= columns) return;", "if (threadIdx.x >= 64) return;",
                            "if (blockIdx.x >= columns) return;", "if (lane < columns) y[lane] = 0;"})
    EXPECT_EQ(check(lane_sum(whole, kAdd), ""), "") << whole;
  for (const char* careful :
       {"sum += __shfl_down_sync(__activemask(), sum, s);", "if (lane + s < columns) sum += x[s];",
        "{ const float other = __shfl_down_sync(0xffffffffu, sum, s); if (lane + s < columns) sum += other; }",
        "sum += lane + s < columns ? __shfl_down_sync(0xffffffffu, sum, s) : 0;",
        "{ const float other = __shfl_up_sync(0xffffffffu, sum, s); if (lane >= s) sum += other; }"})
    EXPECT_EQ(check(lane_sum("if (lane >= columns) return;", careful), ""), "") << careful;
}

TEST_F(CudaGate, AcceptsDeviceHeadersAndAssembly) {
  EXPECT_EQ(check("  namespace cg = cooperative_groups;\n  cg::thread_block block = cg::this_thread_block();\n"
                  "  block.sync();\n  __half h = __float2half(x[0]);\n  y[1] = __half2float(h);\n"
                  "  float4 v = *reinterpret_cast<const float4*>(x);\n  y[2] = v.x;\n"
                  "  unsigned r;\n  asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(r));\n  y[3] = r;",
                  "  int device = 0, count = 0;\n  cudaGetDevice(&device);\n"
                  "  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);\n"
                  "  cudaFuncSetAttribute(mine, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);\n"
                  "  int blocks = 0;\n  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mine, 32, 0);\n"
                  "  void* workspace = nullptr;\n  cudaMallocAsync(&workspace, 1024, s);\n"
                  "  cudaMemsetAsync(workspace, 0, 1024, s);\n"
                  "  cudaMemcpyAsync(workspace, x, 16, cudaMemcpyDeviceToDevice, s);\n  cudaFreeAsync(workspace, s);",
                  "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n#include <mma.h>\n"),
            "");
  EXPECT_EQ(check("#include <cub/block/block_reduce.cuh>\n"
                  "static __global__ void mine(const float* x, float* y) {\n"
                  "  using Reduce = cub::BlockReduce<float, 128>;\n  __shared__ typename Reduce::TempStorage storage;\n"
                  "  const float sum = Reduce(storage).Sum(x[threadIdx.x]);\n  if (threadIdx.x == 0) y[0] = sum;\n}\n" +
                  launcher("mine<<<rows, 128, 0, s>>>(x, y);")),
            "");
}

TEST_F(CudaGate, AcceptsTensorCoresAndAsynchronousCopies) {
  EXPECT_EQ(check("#include <cuda_fp16.h>\n#include <cuda/barrier>\n#include <cooperative_groups.h>\n"
                  "static __device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned "
                  "(&b)[2]) {\n"
                  "  asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                  "{%8,%9}, {%0,%1,%2,%3};\"\n"
                  "    : \"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3])\n"
                  "    : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b[0]), \"r\"(b[1]));\n}\n"
                  "static __device__ unsigned short half_bits(float f) {\n  unsigned short h;\n"
                  "  asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(f));\n  return h;\n}\n"
                  "template <int Stages> __global__ void __launch_bounds__(128) mine(const float* x, float* y) {\n"
                  "  #pragma nv_diag_suppress static_var_with_dynamic_init\n"
                  "  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;\n"
                  "  __shared__ alignas(128) float tile[Stages][128];\n"
                  "  auto block = cooperative_groups::this_thread_block();\n"
                  "  if (block.thread_rank() == 0) init(&arrived, block.size());\n  block.sync();\n"
                  "  cuda::memcpy_async(block, tile[0], x, sizeof(tile[0]), arrived);\n  arrived.arrive_and_wait();\n"
                  "  asm volatile(\"cp.async.wait_group %0;\" ::\"n\"(Stages - 1));\n"
                  "  float d[4] = {};\n  unsigned a[4] = {}, b[2] = {};\n  mma(d, a, b);\n"
                  "  y[threadIdx.x] = d[0] + tile[0][threadIdx.x] + half_bits(x[0]);\n}\n" +
                  launcher("mine<4><<<rows, 128, 0, s>>>(x, y);")),
            "");
}

TEST_F(CudaGate, AcceptsLaunchAttributes) {
  EXPECT_EQ(check("",
                  "  cudaLaunchConfig_t config = {};\n  config.gridDim = rows;\n  config.blockDim = 32;\n"
                  "  config.stream = s;\n  cudaLaunchAttribute attribute[1];\n"
                  "  attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
                  "  attribute[0].val.programmaticStreamSerializationAllowed = 1;\n  config.attrs = attribute;\n"
                  "  config.numAttrs = 1;\n  cudaLaunchKernelEx(&config, mine, x, y, columns);"),
            "");
}

struct Bad {
  const char* what;
  const char* body;   // of the kernel
  const char* host;   // of the launcher
  const char* front;  // before both
  const char* reason;
};
void PrintTo(const Bad& bad, std::ostream* out) {
  *out << bad.what;
}

class CudaGateViolation : public CudaGate, public testing::WithParamInterface<Bad> {};

TEST_P(CudaGateViolation, IsRejectedWithReason) {
  const Bad& bad = GetParam();
  EXPECT_THAT(check(bad.body, bad.host, bad.front), AllOf(testing::StartsWith("<candidate>:"), HasSubstr(bad.reason)));
}

INSTANTIATE_TEST_SUITE_P(
    Host, CudaGateViolation,
    testing::Values(Bad{"stream", "", "cudaStream_t t; cudaStreamCreate(&t);", "", "'cudaStreamCreate' is not allowed"},
                    Bad{"event", "", "cudaEvent_t e; cudaEventCreate(&e);", "", "'cudaEventCreate"},
                    Bad{"graph", "", "cudaGraph_t g; cudaGraphCreate(&g, 0);", "", "graphs outlive"},
                    Bad{"capture", "", "cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);", "", "a graph"},
                    Bad{"managed memory", "", "void* p; cudaMallocManaged(&p, 4);", "", "managed memory"},
                    Bad{"pinned memory", "", "void* p; cudaHostAlloc(&p, 4, 0);", "", "pins memory"},
                    Bad{"register", "", "int here; cudaHostRegister(&here, 4, 0);", "", "pins memory"},
                    Bad{"malloc", "", "void* p; cudaMalloc(&p, 4);", "", "cudaMallocAsync"},
                    Bad{"reset", "", "cudaDeviceReset();", "", "ends what the program has"},
                    Bad{"device", "", "cudaSetDevice(0);", "", "which device"},
                    Bad{"limit", "", "cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1);", "",
                        "changes the device"},
                    Bad{"cache", "", "cudaCtxResetPersistingL2Cache();", "", "the cache's division"},
                    Bad{"stream attribute", "",
                        "cudaStreamAttrValue v = {}; cudaStreamSetAttribute(s, "
                        "cudaLaunchAttributePriority, &v);",
                        "", "not allowed"},
                    Bad{"window", "", "cudaLaunchAttribute a; a.id = cudaLaunchAttributeAccessPolicyWindow;", "",
                        "the cache's division"},
                    Bad{"callback", "", "cudaLaunchHostFunc(s, nullptr, nullptr);", "", "code on the host"},
                    Bad{"peer", "", "cudaDeviceEnablePeerAccess(1, 0);", "", "other devices"},
                    Bad{"ipc", "", "cudaIpcMemHandle_t h; cudaIpcGetMemHandle(&h, y);", "", "other processes"},
                    Bad{"copy to the host", "", "float v; cudaMemcpyAsync(&v, x, 4, cudaMemcpyDeviceToHost, s);", "",
                        "cudaMemcpyDeviceToDevice"},
                    Bad{"another stream", "", "mine<<<1, 32>>>(x, y, columns);", "", "default stream"},
                    Bad{"clear elsewhere", "", "cudaMemsetAsync(y, 0, 4);", "", "default stream"},
                    Bad{"assembly", "", "asm volatile(\"nop\");", "", "inline assembly"},
                    Bad{"file", "", "", "#include <cstdio>\n", "#include <cstdio> is not allowed"}));

INSTANTIATE_TEST_SUITE_P(
    Device, CudaGateViolation,
    testing::Values(Bad{"printf", "printf(\"x\");", "", "", "'printf' is not allowed: it prints"},
                    Bad{"clock", "y[1] = clock64();", "", "", "reads a clock"},
                    Bad{"heap", "float* p = (float*)malloc(4); y[1] = p[0];", "", "", "device's heap"},
                    Bad{"new", "float* p = new float[2]; y[1] = p[0];", "", "", "device's heap"},
                    Bad{"trap", "__trap();", "", "", "ends the program's work"},
                    Bad{"clock in assembly",
                        "unsigned t; asm volatile(\"mov.u32 %0, %%clock;\" : \"=r\"(t)); y[1] = t;", "", "",
                        "'%clock' in assembly"},
                    Bad{"state", "y[1] = atomicAdd(&counter, 1);", "", "static __device__ int counter = 0;\n",
                        "static state that can change"},
                    Bad{"managed", "y[1] = memory[0];", "", "static __managed__ float memory[2];\n", "__managed__"},
                    Bad{"unset constant", "y[1] = table[0];", "", "static __constant__ float table[2];\n",
                        "static state that can change"},
                    Bad{"architecture", "", "", "#if __CUDA_ARCH__ >= 900\nstatic int a() { return 1; }\n#endif\n",
                        "a condition on '__CUDA_ARCH__'"},
                    Bad{"header", "", "", "#include <nvml.h>\n", "#include <nvml.h> is not allowed"}));

TEST_F(CudaGate, AcceptsBarriersThatOtherCodeUsedFirst) {
  const Snippet snippet = cuda_snippet(
      "__global__ void other(float* x) { __syncthreads(); x[0] = __popc(3); }\n"
      "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100) launch(grid(1), block(64))\n"
      "__global__ void copy(const float* x, float* y, int n) {\n"
      "  for (int i = threadIdx.x; i < n; i += 64) y[i] = x[i];\n}\n");
  EXPECT_EQ(
      gate(snippet.kernel(),
           "__global__ void copy(const float* x, float* y, int n) {\n  __shared__ float s[64];\n"
           "  for (int i = 0; i < n; i += 64) {\n    s[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0;\n"
           "    __syncthreads();\n    if (i + threadIdx.x < n) y[i + threadIdx.x] = s[threadIdx.x] + __popc(0);\n"
           "    __syncthreads();\n  }\n}\n",
           snippet.command(), {}),
      "");
}

TEST_F(CudaGate, ReportsLine) {
  EXPECT_THAT(check(launcher("\n\n  cudaDeviceReset();")), testing::StartsWith("<candidate>:4: 'cudaDeviceReset'"));
}

TEST_F(CudaGate, RequiresSameKindOfFunction) {
  const Snippet snippet = cuda_snippet(kGemm);
  auto gate = Gate::open(snippet.kernel(), snippet.command(), {});
  ASSERT_TRUE(gate) << gate.error().message();
  const std::string rest =
      "void gemm(const float* a, const float* b, float* c, int m, int n, int k) { c[0] = a[0]; }\n";
  EXPECT_EQ(gate->check("__global__ " + rest), "");
  EXPECT_EQ(gate->check("__global__ __launch_bounds__(256, 4) " + rest), "");
  EXPECT_THAT(gate->check(rest), HasSubstr("must be kept"));
  EXPECT_THAT(gate->check("static __global__ " + rest), testing::Not(""));
}

TEST_F(CudaGate, RejectsDeviceCodeInProcessorKernel) {
  const Snippet snippet = cuda_snippet(
      "#pragma hone kernel out(y[0:n]) problem(n=10)\n"
      "void f(float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; }\n");
  auto gate = Gate::open(snippet.kernel(), snippet.command(), {});
  ASSERT_TRUE(gate) << gate.error().message();
  EXPECT_THAT(gate->check("static __global__ void k(float* y) { y[0] = 1; }\n"
                          "void f(float* y, int n) { k<<<1, n>>>(y); }\n"),
              HasSubstr("works on the processor"));
  EXPECT_THAT(gate->check("void f(float* y, int n) { cudaMemsetAsync(y, 0, n); }\n"),
              HasSubstr("works on the processor"));
}

}  // namespace
}  // namespace hone::frontend
