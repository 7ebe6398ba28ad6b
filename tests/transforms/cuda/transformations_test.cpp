#include <gmock/gmock.h>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(CudaTransforms, CopyKernelUnderNewName) {
  CudaBench bench(doubled);
  const std::string copy = bench.apply({});
  EXPECT_THAT(copy, AllOf(Says("static __global__ void each_tuned("), Says("each_tuned<<<")));
  EXPECT_EQ(bench.refusal(copy), "");
}

// nvcc's flag makes the others fast by itself, and rounds in its own way.
TEST_F(CudaTransforms, IntrinsicsLeaveToFastMathWhatItDoes) {
  const auto text = [](const std::string& value) {
    return elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) y[i] = " + value + ";");
  };
  const std::vector<std::string> fast{"-std=c++17", "-arch=sm_90", "--use_fast_math"};
  const Gene intrinsics{"intrinsics", 0, {1}};
  EXPECT_TRUE(CudaBench(text("tanhf(x[i]) / 3.5f")).applies(intrinsics));
  EXPECT_FALSE(CudaBench(text("tanhf(x[i]) / 3.5f"), fast).applies(intrinsics));
  EXPECT_THAT(CudaBench(text("powf(x[i], 3.0f) / sqrtf(x[i])"), fast).apply({intrinsics}), Says("* rsqrtf(x[i])"));
}

TEST_F(CudaTransforms, CopyKernelWithoutNameClash) {
  for (const std::string front : {"", "static ", "inline ", "extern \"C\" ", "static inline "}) {
    CudaBench bench(front + doubled);
    const std::string copy = bench.apply({{"restrict", 0, {}}});
    EXPECT_EQ(bench.refusal(copy), "") << copy;
  }
}

TEST_F(CudaTransforms, CopyKernelOfUnnamedNamespaceWithoutClash) {
  std::string text = "namespace {\n" + doubled;
  text.insert(text.find("#pragma"), "}\n");
  CudaBench bench(text);
  const std::string copy = bench.apply({{"restrict", 0, {}}});
  EXPECT_THAT(copy, Says("static __global__ void each_tuned("));
  EXPECT_EQ(bench.refusal(copy), "") << copy;
}

TEST_F(CudaTransforms, LaunchOriginalKernelForSmallProblems) {
  CudaBench bench(R"(
static __global__ void each(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100) problem(n=5000)
void run(const float* x, float* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)");
  const std::string candidate = bench.apply({{"elements", 0, {4}}, {choice_by_size, 0, {0}}});
  EXPECT_THAT(candidate,
              AllOf(Says("if (n < 5000) { each<<<(n + 255) / 256, 256>>>(x, y, n); return; }"), Says("each_tuned<<<")));
  EXPECT_EQ(bench.refusal(candidate), "");
  EXPECT_EQ(bench.difference(candidate, R"(for (int n : {0, 1, 100, 4999, 5000, 5001, 7000}) {
  auto x = numbers<float>(n), y = std::vector<float>(n); run(x.data(), y.data(), n); keep(y); })"),
            "");
}

TEST_F(CudaTransforms, KeepAttributesAndHelpersOfKernel) {
  CudaBench bench(R"(
template <class T> __device__ T twice(T x) { return x + x; }
static __global__ void __launch_bounds__(256) each(const float* x, float* y, int n) {
  const auto i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = twice(x[i]);
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000)
void run(const float* x, float* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)");
  EXPECT_THAT(bench.apply({{"elements", 0, {4}}}),
              AllOf(Says("static __global__ void __launch_bounds__(256) each_tuned"), Says("twice(x[i])")));
}

TEST_F(CudaTransforms, PutDeviceFunctionIntoKernel) {
  CudaBench bench(R"(
__device__ float window(const float* v, int i) { float sum = 0; for (int k = 0; k < 4; ++k) sum += v[i + k]; return sum; }
static __global__ void each(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = window(x, i) * 0.25f;
}
#pragma hone kernel in(x[0:n+3]) out(y[0:n]) problem(n=100000)
void run(const float* x, float* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)");
  const std::string candidate = bench.apply({{"inline_calls", 0, {}}, {"unroll_full", 0, {}}});
  EXPECT_THAT(candidate, Says("sum += x[i + k];"));
  EXPECT_EQ(bench.refusal(candidate), "");
}

// A __global__ kernel with its launch, in a namespace, with the given body; `site`: code of the file that launches it.
std::string launched(const std::string& body, const std::string& site) {
  return "namespace app {\n#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000) tolerance(rtol=1e-3) \\\n"
         "    launch(grid((n + 255) / 256), block(256))\n"
         "static __global__ void each(const float* x, float* y, int n) {\n" +
         body + "\n}\n" + site + "\n}\n";
}
const std::string doubling = "int i = threadIdx.x + blockDim.x * blockIdx.x;\nif (i >= n) return;\ny[i] = 2 * x[i];";

TEST_F(CudaTransforms, RewriteLaunchOfGlobalKernel) {
  CudaBench bench(launched(doubling, "void run(const float* x, float* y) { each<<<4, 256>>>(x, y, 1024); }"));
  const std::string copy = bench.apply({});
  EXPECT_THAT(without_blanks(copy), testing::StartsWith(without_blanks(bench.spec().unit.definition)));
  EXPECT_THAT(copy, AllOf(Says("static __global__ void each_tuned("),
                          Says("static void hone_launch_each(const float *x, float *y, int n, cudaStream_t stream) {\n"
                               "each_tuned<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);")));
  EXPECT_EQ(bench.refusal(copy), "");
  const std::string other = bench.apply({{"block", 0, {128}}, {"restrict", 0, {}}});
  EXPECT_THAT(other, Says("<<<each_grid((n + 255) / 256, 256, 128), 128, 0, stream>>>"));
  EXPECT_EQ(bench.refusal(other), "");
  std::vector<std::string> candidates;
  for (const Genome& recipe : bench.workshop().survey().recipes) {
    candidates.push_back(bench.apply(recipe));
    EXPECT_EQ(bench.refusal(candidates.back()), "") << candidates.back();
  }
  EXPECT_GT(candidates.size(), 4u);
  EXPECT_EQ(complaint_of_nvcc(candidates), "");
}

TEST_F(CudaTransforms, GiveCopySameSharedMemoryLimit) {
  std::string text = launched(doubling, "void run(const float* x, float* y) { each<<<4, 256, 70000>>>(x, y, 1024); }");
  text.insert(text.find("block(256)") + 10, ", shared(70000)");
  CudaBench bench(text);
  EXPECT_THAT(bench.apply({}), AllOf(Says("cudaFuncSetAttribute(each_tuned, "), Says("256, 70000, stream>>>")));
  EXPECT_EQ(bench.refusal(bench.apply({})), "");
  std::string host = doubled;
  host.insert(host.find("each<<<"), "cudaFuncSetAttribute(each, cudaFuncAttributeMaxDynamicSharedMemorySize, 70000); ");
  EXPECT_THAT(CudaBench(host).apply({}), AllOf(Says("cudaFuncSetAttribute(each_tuned, "), Says("each_tuned<<<")));
}

// The clause names what is only declared behind the kernel.
TEST_F(CudaTransforms, KeepLaunchWhenClauseUsesLaterDeclaration) {
  std::string text = launched(doubling, "enum { kBlock = 256 };\nvoid run(float* x) { each<<<4, kBlock>>>(x, x, 9); }");
  text.replace(text.find("block(256)"), 10, "block(kBlock)");
  CudaBench bench(text);
  EXPECT_THAT(without_blanks(bench.apply({{"restrict", 0, {}}})), Not(HasSubstr("hone_launch")));
}

TEST_F(CudaTransforms, KeepLaunchWhenKernelIsUsedByAddress) {
  CudaBench bench(launched(doubling, "auto* const pointer = each;"));
  EXPECT_FALSE(bench.applies({"block", 0, {128}}));
  EXPECT_EQ(without_blanks(bench.apply({})), without_blanks(bench.spec().unit.definition));
}

TEST_F(CudaTransforms, BlockAdjustsGridToNewBlockSize) {
  CudaBench bench(doubled);
  EXPECT_THAT(bench.apply({{"block", 0, {128}}}), Says("<<<run_grid((n + 255) / 256, 256, 128), 128>>>"));
}

TEST_F(CudaTransforms, ElementsReduceNumberOfBlocks) {
  CudaBench bench(doubled);
  EXPECT_THAT(bench.apply({{"elements", 0, {8}}}),
              AllOf(Says("run_fewer((n + 255) / 256, 8, 1)"), Says("element < 8"), Says("if (i < n)")));
}

TEST_F(CudaTransforms, ElementsCheckConditionForEachItem) {
  CudaBench bench(elementwise(
      "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n) return;\nif (x[i] > 0) y[i] = sqrtf(x[i]);"));
  EXPECT_FALSE(bench.applies({"vector_access", 0, {4}}));
  EXPECT_THAT(bench.apply({{"elements", 0, {4}}}), AllOf(Says("if (i < n && x[i] > 0)"), Not(Says("x[i_first]"))));
}

TEST_F(CudaTransforms, GridStrideLoopsWithFixedNumberOfBlocks) {
  CudaBench bench(doubled);
  EXPECT_THAT(bench.apply({{"grid_stride", 0, {512}}}),
              AllOf(Says("run_most((n + 255) / 256, 512)"),
                    Says("for (long long i_at = blockIdx.x * blockDim.x + threadIdx.x; i_at < n; i_at += i_step)"),
                    Says("const int i = static_cast<int>(i_at);")));
}

TEST_F(CudaTransforms, GridStrideRequiresUpperBound) {
  CudaBench bench(
      elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i != n && i < n + i % 2) y[i] = x[i];"));
  EXPECT_FALSE(bench.applies({"grid_stride", 0, {512}}));
}

TEST_F(CudaSuiteTransforms, SwapAxesInKernelAndLaunch) {
  CudaBench& bench = suite_bench("stencil");
  EXPECT_THAT(bench.apply({{"swap_axes", 0, {}}}), AllOf(Says("int y = blockIdx.y * blockDim.y + threadIdx.y"),
                                                         Says("<<<stencil_swapped(grid), stencil_swapped(block)>>>")));
}

TEST_F(CudaSuiteTransforms, RowGroupSplitsLoopsAcrossWarp) {
  CudaBench& bench = suite_bench("gemv");
  EXPECT_THAT(bench.apply({{"row_group", 0, {32}}}),
              AllOf(Says("blockIdx.x * 4 + threadIdx.x / 32"), Says("if (lane != 0) sum = 0;"), Says("i += 32"),
                    Says("sum = gemv_sum<32>(sum)"), Says("if (lane == 0) { y[row] = sum;")));
}

TEST_F(CudaSuiteTransforms, RowGroupSynchronizesBlockAfterWrites) {
  CudaBench& bench = suite_bench("softmax");
  EXPECT_THAT(
      bench.apply({{"row_group", 0, {256}}}),
      AllOf(Says("const int row = blockIdx.x;"), Says("softmax_largest<256>(largest)"), Says("__syncthreads();")));
}

TEST_F(CudaSuiteTransforms, AggregateAtomicsAddsOncePerBlock) {
  CudaBench& bench = suite_bench("reduction");
  EXPECT_THAT(bench.apply({{"aggregate_atomics", 0, {}}}),
              AllOf(Says("own += x[i];"), Says("own = reduction_block_sum(own)"), Says("atomicAdd(sum, own)"),
                    Not(Says("atomicAdd(sum, x[i])"))));
}

TEST_F(CudaSuiteTransforms, PrivatizeAtomicsUsesSharedMemory) {
  CudaBench& bench = suite_bench("histogram");
  EXPECT_THAT(bench.apply({{"privatise_atomics", 0, {4}}}),
              AllOf(Says("__shared__ int bins_of_block[4][256]"), Says("atomicAdd(&bins[at], sum)")));
}

TEST_F(CudaTransforms, PrivatizeAtomicsRequiresKnownArraySize) {
  CudaBench bench(R"(__global__ void count(const int* x, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1);
}
#pragma hone kernel in(x[0:n]) out(bins[0:k]) init(x: index(k)) problem(n=100000, k=100)
void run(const int* x, int* bins, int n, int k) { cudaMemset(bins, 0, k * sizeof(int)); count<<<(n + 255) / 256, 256>>>(x, bins, n); }
)");
  EXPECT_FALSE(bench.applies({"privatise_atomics", 0, {}}));
}

TEST_F(CudaTransforms, AggregateAtomicsRejectsUsedResult) {
  CudaBench bench(R"(__global__ void compact(const float* x, float* y, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) { int at = atomicAdd(count, 1); y[at] = x[i]; }
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) inout(count[0:1]) problem(n=100000)
void run(const float* x, float* y, int* count, int n) { compact<<<(n + 255) / 256, 256>>>(x, y, count, n); }
)");
  EXPECT_FALSE(bench.applies({"aggregate_atomics", 0, {}}));
}

TEST_F(CudaSuiteTransforms, TileProductPadsTilesWithZeros) {
  CudaBench& bench = suite_bench("gemm");
  EXPECT_THAT(bench.apply({{"swap_axes", 0, {}}, {"tile_product", 0, {8, 4, 16}}}),
              AllOf(Says("__shared__ __align__(16) float tile_0[16][132]"), Says("float sum_of[8][4]"),
                    Says("(row_start + across) < m ? a["), Says("dim3(64, 128)), 256>>>")));
}

TEST_F(CudaSuiteTransforms, StoreThroughTileAvoidsBankConflicts) {
  CudaBench& bench = suite_bench("transpose");
  EXPECT_THAT(bench.apply({{"store_through_tile", 0, {8}}}),
              AllOf(Says("__shared__ float tile[32][33]"), Says("= tile[threadIdx.x][across]")));
}

TEST_F(CudaSuiteTransforms, IntrinsicsRequireTolerance) {
  EXPECT_THAT(suite_bench("gelu_bias").apply({{"intrinsics", 0, {0}}}),
              AllOf(Says("gelu_bias_power<3>(v)"), Says("gelu_bias_tanh(")));
  CudaBench exact(R"(__global__ void each(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = expf(x[i]);
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000) tolerance(exact)
void run(const float* x, float* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)");
  EXPECT_FALSE(exact.applies({"intrinsics", 0, {0}}));
}

TEST_F(CudaSuiteTransforms, IntrinsicsReplaceDivisionBySquareRoot) {
  EXPECT_THAT(suite_bench("layer_norm").apply({{"intrinsics", 0, {0}}}), Says("* rsqrtf(variance + 1e-5f)"));
}

TEST_F(CudaSuiteTransforms, SpecializeCopiesKernelForEachProblemValue) {
  CudaBench& bench = suite_bench("convolution_2d");
  EXPECT_THAT(bench.apply({{"specialise", 0, {}}, {"specialise", 1, {}}}),
              AllOf(Says("constexpr int size = 7;"), Says("constexpr int size = 5;"), Says("if (size != 7)")));
}

TEST_F(CudaSuiteTransforms, InteriorTestsBorderOnce) {
  CudaBench& bench = suite_bench("convolution_2d");
  EXPECT_THAT(bench.apply({{"interior", 0, {}}}),
              AllOf(Says("bool inside = true && 0 < size && 0 < size;"),
                    Says("{ const int dy = size - 1; const int dx = size - 1; int from_y = y + dy - size / 2;"),
                    Says("if (inside) {")));
}

TEST_F(CudaSuiteTransforms, InteriorRejectsLoopsWithoutBorderTests) {
  EXPECT_FALSE(suite_bench("gemv").applies({"interior", 0, {}}));
}

TEST_F(CudaSuiteTransforms, ElementsMayBeAdjacentRows) {
  CudaBench& bench = suite_bench("convolution_2d");
  EXPECT_THAT(bench.apply({{"elements", 0, {4, 1, 1}}}),
              AllOf(Says("y_first = (blockIdx.y * blockDim.y + threadIdx.y) * 4;"), Says("y_step = 1;")));
}

TEST_F(CudaTransforms, RestrictSkipsAliasedParameters) {
  CudaBench bench(R"(__global__ void each(const float* x, float* y, const float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + z[i];
}
#pragma hone kernel in(x[0:n], z[0:n]) inout(y[0:n]) problem(n=100000) alias(x, y)
void run(const float* x, float* y, const float* z, int n) { each<<<(n + 255) / 256, 256>>>(x, y, z, n); }
)");
  EXPECT_THAT(bench.apply({{"restrict", 0, {}}}),
              AllOf(Says("const float* __restrict__ z"), Not(Says("__restrict__ x")), Not(Says("__restrict__ y"))));
}

TEST_F(CudaTransforms, LaunchBoundsUseBlockSizeOfLaunch) {
  EXPECT_THAT(CudaBench(doubled).apply({{"launch_bounds", 0, {4}}}), Says("__launch_bounds__(256, 4) each_tuned"));
}

TEST_F(CudaSuiteTransforms, UnrollJamRejectsBarriers) {
  EXPECT_FALSE(suite_bench("scan").applies({"unroll_jam", 0, {2}}));
  EXPECT_TRUE(suite_bench("convolution_2d").applies({"unroll_jam", 0, {2}}));
}

TEST_F(CudaSuiteTransforms, KeepGeometryOfKernelWithSharedMemory) {
  CudaBench& bench = suite_bench("scan");
  for (const char* gene : {"block", "elements", "row_group", "vector_access", "swap_axes"})
    EXPECT_FALSE(bench.applies({gene, 0, {}})) << gene;
}

TEST_F(CudaTransforms, KeepGeometryWhenThreadIndexIsUsedOtherwise) {
  CudaBench bench(elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) y[i] = x[i] + threadIdx.x;"));
  EXPECT_FALSE(bench.applies({"block", 0, {128}}));
}

TEST_F(CudaTransforms, OfferOneSitePerKernel) {
  CudaBench bench(R"(
__global__ void first(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + 1; }
__global__ void second(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = y[i] * 2; }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000)
void run(const float* x, float* y, int n) {
  first<<<(n + 255) / 256, 256>>>(x, y, n);
  second<<<(n + 127) / 128, 128>>>(y, n);
}
)");
  EXPECT_THAT(bench.apply({{"block", 1, {64}}}),
              AllOf(Says("first_tuned<<<(n + 255) / 256, 256>>>"),
                    Says("second_tuned<<<run_grid((n + 127) / 128, 128, 64), 64>>>")));
}

}  // namespace
}  // namespace hone::frontend
