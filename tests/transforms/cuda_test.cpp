#include <gmock/gmock.h>

#include "tests/transforms/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ResultOf;

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

// However it is laid out.
auto Says(const std::string& text) {
  return ResultOf(without_blanks, HasSubstr(without_blanks(text)));
}

class Cuda : public ::testing::Test {
 protected:
  void SetUp() override { HONE_NEEDS_NVCC(); }
};

// A launcher on n elements with the given body for its kernel.
std::string elementwise(const std::string& body) {
  return R"(__global__ void each(const float* x, float* y, int n) {
)" + body +
         R"(
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000) tolerance(rtol=1e-3)
void run(const float* x, float* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)";
}

const std::string doubled =
    elementwise("int i = threadIdx.x + blockDim.x * blockIdx.x;\nif (i >= n) return;\ny[i] = 2 * x[i];");

TEST_F(Cuda, CandidatesHaveKernelsOfTheirOwn) {
  CudaBench bench(doubled);
  const std::string copy = bench.apply({});
  EXPECT_THAT(copy, AllOf(Says("static __global__ void each_tuned("), Says("each_tuned<<<")));
  EXPECT_EQ(bench.refusal(copy), "");
}

TEST_F(Cuda, CopiesOfKernelsClashWithNobodys) {
  for (const std::string front : {"", "static ", "inline ", "extern \"C\" ", "static inline "}) {
    CudaBench bench(front + doubled);
    const std::string copy = bench.apply({{"restrict", 0, {}}});
    EXPECT_EQ(bench.refusal(copy), "") << copy;
  }
}

TEST_F(Cuda, CopiesOfKernelsInUnnamedNamespacesClashWithNobodys) {
  std::string text = "namespace {\n" + doubled;
  text.insert(text.find("#pragma"), "}\n");
  CudaBench bench(text);
  const std::string copy = bench.apply({{"restrict", 0, {}}});
  EXPECT_THAT(copy, Says("static __global__ void each_tuned("));
  EXPECT_EQ(bench.refusal(copy), "") << copy;
}

TEST_F(Cuda, KernelsKeepWhatStandsInFrontOfThem) {
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

// A __global__ kernel with its launch, in a namespace, with the given body; `site`: code of the file that launches it.
std::string launched(const std::string& body, const std::string& site) {
  return "namespace app {\n#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000) tolerance(rtol=1e-3) \\\n"
         "    launch(grid((n + 255) / 256), block(256))\n"
         "static __global__ void each(const float* x, float* y, int n) {\n" +
         body + "\n}\n" + site + "\n}\n";
}
const std::string doubling = "int i = threadIdx.x + blockDim.x * blockIdx.x;\nif (i >= n) return;\ny[i] = 2 * x[i];";

TEST_F(Cuda, KernelsWhoseLaunchesAreSeenAreLaunchedOtherwise) {
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

TEST_F(Cuda, CopiesOfKernelsMayHaveAsMuchSharedMemory) {
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
TEST_F(Cuda, KernelsWhoseClausesMeanNothingWhereTheyStandAreTransformedThemselves) {
  std::string text = launched(doubling, "enum { kBlock = 256 };\nvoid run(float* x) { each<<<4, kBlock>>>(x, x, 9); }");
  text.replace(text.find("block(256)"), 10, "block(kBlock)");
  CudaBench bench(text);
  EXPECT_THAT(without_blanks(bench.apply({{"restrict", 0, {}}})), Not(HasSubstr("hone_launch")));
}

TEST_F(Cuda, KernelsWhoseLaunchesAreNotSeenKeepThem) {
  CudaBench bench(launched(doubling, "auto* const pointer = each;"));
  EXPECT_FALSE(bench.applies({"block", 0, {128}}));
  EXPECT_EQ(without_blanks(bench.apply({})), without_blanks(bench.spec().unit.definition));
}

TEST_F(Cuda, BlocksOfAnotherShapeCoverTheSameItems) {
  CudaBench bench(doubled);
  EXPECT_THAT(bench.apply({{"block", 0, {128}}}), Says("<<<run_grid((n + 255) / 256, 256, 128), 128>>>"));
}

TEST_F(Cuda, SeveralItemsForAThreadTakeFewerBlocks) {
  CudaBench bench(doubled);
  EXPECT_THAT(bench.apply({{"elements", 0, {8}}}),
              AllOf(Says("run_fewer((n + 255) / 256, 8, 1)"), Says("element < 8"), Says("if (i < n)")));
}

TEST_F(Cuda, ConditionsOnMemoryAreAskedForEachItem) {
  CudaBench bench(elementwise(
      "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n) return;\nif (x[i] > 0) y[i] = sqrtf(x[i]);"));
  EXPECT_FALSE(bench.applies({"vector_access", 0, {4}}));
  EXPECT_THAT(bench.apply({{"elements", 0, {4}}}), AllOf(Says("if (i < n && x[i] > 0)"), Not(Says("x[i_first]"))));
}

TEST_F(Cuda, AFixedNumberOfBlocksGoesOnByWholeGrids) {
  CudaBench bench(doubled);
  EXPECT_THAT(bench.apply({{"grid_stride", 0, {512}}}),
              AllOf(Says("run_most((n + 255) / 256, 512)"),
                    Says("for (long long i_at = blockIdx.x * blockDim.x + threadIdx.x; i_at < n; i_at += i_step)"),
                    Says("const int i = static_cast<int>(i_at);")));
}

TEST_F(Cuda, NoGridIsAFixedOneWhereNothingSaysWhereTheItemsEnd) {
  CudaBench bench(
      elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i != n && i < n + i % 2) y[i] = x[i];"));
  EXPECT_FALSE(bench.applies({"grid_stride", 0, {512}}));
}

TEST_F(Cuda, PacksTestWhetherMemoryIsAligned) {
  CudaBench bench(doubled);
  EXPECT_THAT(bench.apply({{"vector_access", 0, {4}}}),
              AllOf(Says("run_pack<float, 4>"), Says("alignof"), Says("y_pack.part[part] = 2 * x_pack.part[part]")));
}

TEST_F(Cuda, PacksAreLoadedWhereNotAllOfThemIsWritten) {
  CudaBench bench(
      elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) { if (x[i] > 0) y[i] = x[i]; }"));
  EXPECT_THAT(bench.apply({{"vector_access", 0, {4}}}),
              Says("y_pack = *reinterpret_cast<const run_pack<float, 4>*>(&y[i_first])"));
}

// A launcher on n elements of half precision with the given body for its kernel.
std::string halves(const std::string& body, const std::string& type = "__half") {
  const std::string header = type == "__nv_bfloat16" ? "cuda_bf16.h" : "cuda_fp16.h";
  return "#include <" + header + ">\n__global__ void each(const " + type + "* x, " + type + "* y, " + type +
         " a, int n) {\nint i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n) return;\n" + body +
         "\n}\n#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=100000)\nvoid run(const " + type + "* x, " +
         type + "* y, " + type + " a, int n) { each<<<(n + 255) / 256, 256>>>(x, y, a, n); }\n";
}

TEST_F(Cuda, PacksOfHalfPrecisionAreSixteenBytes) {
  CudaBench bench(halves("y[i] = __float2half(2.0f * __half2float(x[i]));"));
  const std::string packed = bench.apply({{"vector_access", 0, {}}});
  EXPECT_THAT(
      bench.apply({{"vector_access", 0, {8}}}),
      AllOf(Says("run_pack<__half, 8> x_pack = *reinterpret_cast<const"),
            Says("run_pack<__half, 8> y_pack;"),  // all of it is written
            Says("y_pack.part[part] = __float2half(2.0f * __half2float(x_pack.part[part]));"), Not(Says("__half2&"))));
  EXPECT_EQ(bench.refusal(packed), "") << packed;
}

TEST_F(Cuda, ArithmeticOfHalfPrecisionIsDoneOnTwo) {
  CudaBench bench(halves("half v = x[i] * a;\ny[i] = v + y[i] - __hfma(x[i], a, __float2half(0.5f));"));
  const std::string pairs = bench.apply({{"vector_access", 0, {8, 1}}});
  EXPECT_THAT(pairs, AllOf(Says("part < 4"),
                           Says("__half2 v = (reinterpret_cast<__half2&>(x_pack.part[2 * part]) * "
                                "__half2half2(a));"),
                           Says("reinterpret_cast<__half2&>(y_pack.part[2 * part]) = ((v + "),
                           Says("- __hfma2(reinterpret_cast<__half2&>(x_pack.part[2 * part]), __half2half2(a), "
                                "__half2half2(__float2half(0.5f))))")));
  EXPECT_THAT(bench.apply({{"vector_access", 0, {8, 0}}}), Says("half v = x_pack.part[part] * a;"));
  CudaBench brain(halves("y[i] = __hmul_rn(x[i], y[i]);", "__nv_bfloat16"));
  const std::string brains = brain.apply({{"vector_access", 0, {4, 1}}});
  EXPECT_THAT(brains, Says("__hmul2_rn(reinterpret_cast<__nv_bfloat162&>(x_pack.part[2 * part])"));
  EXPECT_EQ(bench.refusal(pairs), "");
  EXPECT_EQ(complaint_of_nvcc({"#include <cuda_fp16.h>\n" + pairs}), "");
  EXPECT_EQ(complaint_of_nvcc({"#include <cuda_bf16.h>\n" + brains}), "");
}

TEST_F(Cuda, WhatIsNoArithmeticOfHalfPrecisionIsDoneOnOne) {
  for (const std::string body : {"y[i] = x[i] / a;", "y[i] = __float2half(__half2float(x[i]));",
                                 "y[i] = x[i] * __int2half_rn(i);", "y[i] = x[i];\nif (x[i] > a) y[i] = a;"}) {
    CudaBench bench(halves(body));
    EXPECT_THAT(bench.apply({{"vector_access", 0, {8, 1}}}), AllOf(Says("run_pack<__half, 8>"), Not(Says("__half2&"))))
        << body;
  }
}

TEST_F(Cuda, MembersOfSmallVectorsArePackedAsAWhole) {
  CudaBench bench(R"(__global__ void each(const float2* x, float2* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i].x = x[i].y;
}
#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=100000)
void run(const float2* x, float2* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)");
  EXPECT_THAT(bench.apply({{"vector_access", 0, {2}}}),
              AllOf(Says("y_pack.part[part].x = x_pack.part[part].y"),
                    Says("y_pack = *reinterpret_cast<const run_pack<float2, 2>*>(&y[i_first])")));
}

TEST_F(Cuda, PacksGoOnByWholeGrids) {
  CudaBench bench(doubled);
  const std::string text = bench.apply({{"vector_access", 0, {4, 0, 1024}}});
  EXPECT_THAT(text, AllOf(Says("for (long long i_group = blockIdx.x * blockDim.x + threadIdx.x; (i_group * 4) < n; "
                               "i_group += i_step)"),
                          Says("const int i_first = static_cast<int>(i_group * 4);"),
                          Says("<<<run_most(run_fewer((n + 255) / 256, 4, 1), 1024), 256>>>")));
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

TEST_F(Cuda, AxesAreSwappedInTheKernelAndItsLaunch) {
  CudaBench bench(suite_kernel("stencil"));
  EXPECT_THAT(bench.apply({{"swap_axes", 0, {}}}), AllOf(Says("int y = blockIdx.y * blockDim.y + threadIdx.y"),
                                                         Says("<<<stencil_swapped(grid), stencil_swapped(block)>>>")));
}

TEST_F(Cuda, AWarpForEachRowDealsOutItsLoops) {
  CudaBench bench(suite_kernel("gemv"));
  EXPECT_THAT(bench.apply({{"row_group", 0, {32}}}),
              AllOf(Says("blockIdx.x * 4 + threadIdx.x / 32"), Says("if (lane != 0) sum = 0;"), Says("i += 32"),
                    Says("sum = gemv_sum<32>(sum)"), Says("if (lane == 0) { y[row] = sum;")));
}

TEST_F(Cuda, ABlockForEachRowWaitsForWhatItWrote) {
  CudaBench bench(suite_kernel("softmax"));
  EXPECT_THAT(
      bench.apply({{"row_group", 0, {256}}}),
      AllOf(Says("const int row = blockIdx.x;"), Says("softmax_largest<256>(largest)"), Says("__syncthreads();")));
}

TEST_F(Cuda, AdditionsToOnePlaceBecomeOneForEachBlock) {
  CudaBench bench(suite_kernel("reduction"));
  EXPECT_THAT(bench.apply({{"aggregate_atomics", 0, {}}}),
              AllOf(Says("own += x[i];"), Says("own = reduction_block_sum(own)"), Says("atomicAdd(sum, own)"),
                    Not(Says("atomicAdd(sum, x[i])"))));
}

TEST_F(Cuda, AdditionsToASmallArrayGoToSharedMemoryFirst) {
  CudaBench bench(suite_kernel("histogram"));
  EXPECT_THAT(bench.apply({{"privatise_atomics", 0, {4}}}),
              AllOf(Says("__shared__ int bins_of_block[4][256]"), Says("atomicAdd(&bins[at], sum)")));
}

TEST_F(Cuda, AnArrayOfUnknownSizeIsNotPrivatised) {
  CudaBench bench(R"(__global__ void count(const int* x, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1);
}
#pragma hone kernel in(x[0:n]) out(bins[0:k]) init(x: index(k)) problem(n=100000, k=100)
void run(const int* x, int* bins, int n, int k) { cudaMemset(bins, 0, k * sizeof(int)); count<<<(n + 255) / 256, 256>>>(x, bins, n); }
)");
  EXPECT_FALSE(bench.applies({"privatise_atomics", 0, {}}));
}

TEST_F(Cuda, AnAdditionWhoseResultIsUsedStays) {
  CudaBench bench(R"(__global__ void compact(const float* x, float* y, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) { int at = atomicAdd(count, 1); y[at] = x[i]; }
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) inout(count[0:1]) problem(n=100000)
void run(const float* x, float* y, int* count, int n) { compact<<<(n + 255) / 256, 256>>>(x, y, count, n); }
)");
  EXPECT_FALSE(bench.applies({"aggregate_atomics", 0, {}}));
}

TEST_F(Cuda, TilesOfAProductAreZeroBeyondItsEnds) {
  CudaBench bench(suite_kernel("gemm"));
  EXPECT_THAT(bench.apply({{"swap_axes", 0, {}}, {"tile_product", 0, {8, 4, 16}}}),
              AllOf(Says("__shared__ __align__(16) float tile_0[16][132]"), Says("float sum_of[8][4]"),
                    Says("(row_start + across) < m ? a["), Says("dim3(64, 128)), 256>>>")));
}

TEST_F(Cuda, ATransposePassesThroughATileWithoutBankConflicts) {
  CudaBench bench(suite_kernel("transpose"));
  EXPECT_THAT(bench.apply({{"store_through_tile", 0, {8}}}),
              AllOf(Says("__shared__ float tile[32][33]"), Says("= tile[threadIdx.x][across]")));
}

TEST_F(Cuda, FastFunctionsNeedATolerance) {
  EXPECT_THAT(CudaBench(suite_kernel("gelu_bias")).apply({{"intrinsics", 0, {0}}}),
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

TEST_F(Cuda, RootsInDivisorsBecomeReciprocal) {
  EXPECT_THAT(CudaBench(suite_kernel("layer_norm")).apply({{"intrinsics", 0, {0}}}),
              Says("* rsqrtf(variance + 1e-5f)"));
}

TEST_F(Cuda, KernelsAreCopiedForEachOfTheProblemsValues) {
  CudaBench bench(suite_kernel("convolution_2d"));
  EXPECT_THAT(bench.apply({{"specialise", 0, {}}, {"specialise", 1, {}}}),
              AllOf(Says("constexpr int size = 7;"), Says("constexpr int size = 5;"), Says("if (size != 7)")));
}

TEST_F(Cuda, FiltersAskOnceForTheBorder) {
  CudaBench bench(suite_kernel("convolution_2d"));
  EXPECT_THAT(bench.apply({{"interior", 0, {}}}),
              AllOf(Says("bool inside = true && 0 < size && 0 < size;"),
                    Says("{ const int dy = size - 1; const int dx = size - 1; int from_y = y + dy - size / 2;"),
                    Says("if (inside) {")));
}

TEST_F(Cuda, LoopsThatNeverAskHaveNoInterior) {
  EXPECT_FALSE(CudaBench(suite_kernel("gemv")).applies({"interior", 0, {}}));
}

TEST_F(Cuda, RowsOfAThreadMayLieSideBySide) {
  CudaBench bench(suite_kernel("convolution_2d"));
  EXPECT_THAT(bench.apply({{"elements", 0, {4, 1, 1}}}),
              AllOf(Says("y_first = (blockIdx.y * blockDim.y + threadIdx.y) * 4;"), Says("y_step = 1;")));
}

TEST_F(Cuda, OverlappingArraysAreNotRestricted) {
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

// A launcher of blocks that reduce in shared memory: the declaration, the tree, what comes behind it.
std::string trees(const std::string& tree, const std::string& behind = "if (tid == 0) y[blockIdx.x] = s[0];",
                  const std::string& block = "256") {
  return "__global__ void each(const float* x, float* y, int n) {\n__shared__ float s[1024];\nint tid = threadIdx.x;\n"
         "s[tid] = x[blockIdx.x * n + tid];\n__syncthreads();\n" +
         tree + "\n" + behind +
         "\n}\n#pragma hone kernel in(x[0:m * n]) out(y[0:m]) problem(m=100, n=1024)\n"
         "void run(const float* x, float* y, int m, int n) { each<<<m, " +
         block + ">>>(x, y, n); }\n";
}
const std::string halving =
    "for (int d = blockDim.x / 2; d > 0; d >>= 1) {\nif (tid < d) s[tid] += s[tid + d];\n__syncthreads();\n}";

TEST_F(Cuda, TreesInSharedMemoryBecomeShuffles) {
  CudaBench bench(trees(halving));
  const std::string text = bench.apply({{"warp_shuffles", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("const unsigned tree_span = 128;"), Says("__shared__ float s_parts[32];"),
                          Says("s_value = s[tid]; s_other = s[tid + tree_span]; s_value += s_other;"),
                          Says("s_other = __shfl_down_sync(0xffffffffu, s_value, tree_lanes); s_value += s_other;"),
                          Says("s[0] = s_value;"), Not(Says("d >>= 1"))));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

TEST_F(Cuda, TreesOfUnknownBlocksKeepTheirLoopForThoseThatShufflesDoNotSuit) {
  CudaBench bench(trees(halving, "if (tid == 0) y[blockIdx.x] = s[0];", "n"));
  const std::string text = bench.apply({{"warp_shuffles", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("const unsigned tree_span = blockDim.x / 2;"),
                          Says("(tree_span & (tree_span - 1)) == 0 && tree_span <= blockDim.x && blockDim.x >= 32"),
                          Says("} else { for (int d = blockDim.x / 2; d > 0; d >>= 1)")));
  EXPECT_EQ(bench.workshop().render({{"warp_shuffles", 0, {}}, {"warp_shuffles", 0, {}}}).applied.size(), 1u);
}

TEST_F(Cuda, TreesOfKnownBlocksThatShufflesDoNotSuitAreLeft) {
  for (const char* block : {"96", "16"})
    EXPECT_FALSE(CudaBench(trees(halving, "y[blockIdx.x] = s[0];", block)).applies({"warp_shuffles", 0, {}})) << block;
}

TEST_F(Cuda, TreesMayKeepTheirOrder) {
  EXPECT_THAT(CudaBench(trees(halving)).apply({{"warp_shuffles", 0, {1}}}),
              AllOf(Says("for (unsigned d = tree_span; d >= 32; d /= 2) {"), Says("s[tid] += s[tid + d];"),
                    Says("tree_lanes = tree_span < 16 ? tree_span : 16"), Not(Says("s_parts"))));
}

TEST_F(Cuda, TreesAreSeenHoweverTheyAreWritten) {
  const std::vector<std::string> written{
      "for (unsigned d = 128; d >= 1; d /= 2) { if (tid < d) { s[tid] = s[tid] + s[d + tid]; } __syncthreads(); }",
      "for (int d = 128; d; d = d / 2) { __syncthreads(); if (d > tid) s[tid] = fmaxf(s[tid], s[tid + d]); }",
      "int d = blockDim.x / 2; while (d != 0) { if (tid < d) s[tid] += s[tid + d]; __syncthreads(); d /= 2; }",
      "for (int d = 1; d < blockDim.x; d *= 2) { if (tid % (2 * d) == 0) s[tid] += s[tid + d]; __syncthreads(); }",
      "for (int d = 1; d < 256; d <<= 1) { if ((tid & (2 * d - 1)) == 0) s[tid] *= s[tid + d]; __syncthreads(); }",
      "for (int d = 128; d > 0; d >>= 1) { if (tid < d) if (s[tid + d] < s[tid]) s[tid] = s[tid + d]; __syncthreads(); "
      "}"};
  std::vector<std::string> candidates;
  for (const std::string& tree : written)
    candidates.push_back(CudaBench(trees(tree)).apply({{"warp_shuffles", 0, {}}}));
  EXPECT_EQ(complaint_of_nvcc(candidates), "");
}

TEST_F(Cuda, LoopsThatAreNoTreesAreLeft) {
  for (const std::string tree :
       {"for (int d = 128; d > 1; d /= 2) { if (tid < d) s[tid] += s[tid + d]; __syncthreads(); }",  // not to the end
        "for (int d = 128; d > 0; d /= 2) { if (tid < d) s[tid] += s[tid + 2 * d]; __syncthreads(); }",  // further away
        "for (int d = 128; d > 0; d /= 2) { if (tid < d) s[tid] += d * s[tid + d]; __syncthreads(); }",  // by distance
        "for (int d = 128; d > 0; d /= 2) { if (tid <= d) s[tid] += s[tid + d]; __syncthreads(); }",     // one too many
        "for (int d = 128; d > 0; d /= 2) { if (tid < d) { s[tid] += s[tid + d]; y[tid] = 0; } __syncthreads(); }",
        "for (int d = 128; d > 0; d /= 3) { if (tid < d) s[tid] += s[tid + d]; __syncthreads(); }"})
    EXPECT_FALSE(CudaBench(trees(tree)).applies({"warp_shuffles", 0, {}})) << tree;
}

TEST_F(Cuda, TreesOfWhichMoreThanTheFirstIsReadAreLeft) {
  for (const char* behind : {"y[tid] = s[tid];", "if (tid == 0) y[blockIdx.x] = s[0] + s[1];"})
    EXPECT_FALSE(CudaBench(trees(halving, behind)).applies({"warp_shuffles", 0, {}})) << behind;
  // Another tree on the same array, filled anew.
  CudaBench two(trees(halving, "float first = s[0];\n__syncthreads();\ns[tid] = first;\n__syncthreads();\n" + halving +
                                   "\nif (tid == 0) y[blockIdx.x] = s[0];"));
  EXPECT_THAT(two.apply({{"warp_shuffles", 1, {}}, {"warp_shuffles", 0, {}}}), Not(Says("d >>= 1")));
}

TEST_F(Cuda, KernelsThatKeepTheirLaunchHaveTheirTreesShuffled) {
  CudaBench bench(R"(namespace app {
#pragma hone kernel in(x[0:m * n]) out(y[0:m]) problem(m=100, n=1024) launch(grid(m), block(256))
__global__ void each(const float* x, float* y, int m, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * n + threadIdx.x];
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
auto* const pointer = each;
}
)");
  const std::string text = bench.apply({{"warp_shuffles", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("const unsigned tree_span = 128; if ("), Says("} else { for (int d = 128;")));
  EXPECT_EQ(bench.refusal(text), "");
}

// A launcher of one thread for each row, whose body is given.
std::string row_by_row(const std::string& body) {
  return "__global__ void each(const float* x, float* y, int m, int n) {\n"
         "int r = blockIdx.x * blockDim.x + threadIdx.x;\nif (r >= m) return;\n" +
         body +
         "\n}\n#pragma hone kernel in(x[0:m * n]) out(y[0:m * n]) problem(m=1000, n=1024)\n"
         "void run(const float* x, float* y, int m, int n) { each<<<(m + 127) / 128, 128>>>(x, y, m, n); }\n";
}

TEST_F(Cuda, GroupsScanARowsRunningSum) {
  CudaBench bench(
      row_by_row("float sum = 0;\nfor (int i = 0; i < n; ++i) { sum += x[r * n + i]; y[r * n + i] = sum; }"));
  const std::string text = bench.apply({{"row_group", 0, {32}}});
  EXPECT_THAT(text, AllOf(Says("for (int i_first = 0; i_first < n; i_first += 32) {"),
                          Says("if (i < n) { sum_own = x[r * n + i]; }"),
                          Says("sum_before = run_prefix<32>(sum_own, sum_all);"),
                          Says("if (i < n) { sum = sum_carried + sum_before; sum += sum_own; y[r * n + i] = sum; }"),
                          Says("sum_carried += sum_all;")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_EQ(complaint_of_nvcc({bench.apply({{"row_group", 0, {256}}})}), "");
}

TEST_F(Cuda, SumsThatAreNoPrefixSumsAreNotShared) {
  for (const std::string body :
       {"float sum = 0;\nfor (int i = 0; i < n; ++i) { sum += x[r * n + i] * sum; y[r * n + i] = sum; }",
        "float sum = 0;\nfor (int i = 0; i < n; ++i) { if (x[r * n + i] > 0) sum += 1; y[r * n + i] = sum; }",
        "float sum = 0;\nfor (int i = 0; i < n; ++i) { sum += x[r * n + i]; y[r * n] = sum; }",
        "float sum = 0;\nfor (int i = 1; i < n; ++i) { sum += y[r * n + i - 1]; y[r * n + i] = sum; }",
        "float sum = 0;\nfor (int i = 0; i < n; ++i) { sum += x[r * n + i]; y[r * n + i] = sum; sum *= 0.5f; }"})
    EXPECT_FALSE(CudaBench(row_by_row(body)).applies({"row_group", 0, {32}})) << body;
}

TEST_F(Cuda, APrefixSumOfOneBlockBecomesThreeLaunchesOverTiles) {
  CudaBench bench(suite_kernel("scan"));
  const std::string text = bench.apply({{"tiled_scan", 0, {8, 256}}});
  EXPECT_THAT(text, AllOf(Says("scan_tile_sums<<<static_cast<unsigned>(tiles), 256>>>(x, y, n); "
                               "scan_tile_fronts<<<1, 1024>>>(x, y, n); "
                               "scan_tiles<<<static_cast<unsigned>(tiles), 256>>>(x, y, n);"),
                          Says("= x[item];"), Says("y[item] = running; running += "),  // exclusive
                          Not(Says("distance < 1024"))));
  EXPECT_EQ(bench.refusal(text), "");
}

// A launcher of one thread that goes through x and y with the given loop.
std::string one_thread(const std::string& loop, const std::string& type = "float", const std::string& clause = "") {
  return "__global__ void each(const float* x, " + type + "* y, float start, int n) {\nfloat sum = start;\n" + loop +
         "\n}\n#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=1000) " + clause + "\nvoid run(const float* x, " +
         type + "* y, int n, cudaStream_t s) { each<<<1, 1, 0, s>>>(x, y, 0.5f, n - 1); }\n";
}

TEST_F(Cuda, APrefixSumOfOneThreadBecomesThreeLaunchesOnTheStream) {
  CudaBench bench(one_thread("for (int i = 0; i <= n; ++i) { sum += 2 * x[i]; y[i] = sum; }", "float", "stream(s)"));
  const std::string text = bench.apply({{"tiled_scan", 0, {4, 128}}});
  EXPECT_THAT(text, AllOf(Says("tiles = (static_cast<long long>((n - 1) + 1) + 512 - 1) / 512;"),
                          Says("run_tile_sums<<<static_cast<unsigned>(tiles), 128, 0, s>>>(x, y, 0.5f, n - 1);"),
                          Says("float carried = start;")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

TEST_F(Cuda, SumsThatCannotStandInTheResultTakeOneLargeBlock) {
  const std::string in_place = "for (int i = 0; i < n; ++i) { float own = y[i]; y[i] = sum; sum += own; }";
  const std::string apart = "for (int i = 0; i < n; ++i) { y[i] = sum; sum += x[i]; }";
  for (const std::string& text : {one_thread(in_place, "float", "stream(s)"), one_thread(apart, "double", "stream(s)"),
                                  one_thread(apart, "float", "stream(s) alias(x, y)")}) {
    CudaBench bench(text);
    const std::string block = bench.apply({{"tiled_scan", 0, {8, 256}}});
    EXPECT_THAT(block, AllOf(Says("run_by_tiles<<<1, 1024, 0, s>>>"), Not(Says("tile_fronts"))));
    EXPECT_EQ(complaint_of_nvcc({block}), "");
  }
}

TEST_F(Cuda, WalksThatDoMoreThanScanAreLeft) {
  const std::string walk = suite_kernel("scan");
  const auto with = [&](const std::string& what, const std::string& instead) {
    std::string text = walk;
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), instead);
  };
  for (const std::string& text :
       {with("sums[from][t] + sums[from][t - distance]", "sums[from][t] * sums[from][t - distance]"),
        with("t >= distance ?", "t > distance ?"), with("distance = 1;", "distance = 2;"),
        with("carried += sums[from][1023];", "carried += sums[from][1022];"),
        with("t > 0 ? carried + sums", "t > 0 ? carried * sums"),
        with("? x[start + t] : 0.0f", "? x[start + t] : 1.0f"), with("x[start + t]", "x[start + 2 * t]"),
        with("<<<1, 1024>>>", "<<<1, 512>>>"), with("<<<1, 1024>>>", "<<<2, 1024>>>")})
    EXPECT_FALSE(CudaBench(text).applies({"tiled_scan", 0, {}})) << text;
}

TEST_F(Cuda, BoundsOfALaunchAreRead) {
  EXPECT_THAT(CudaBench(doubled).apply({{"launch_bounds", 0, {4}}}), Says("__launch_bounds__(256, 4) each_tuned"));
}

TEST_F(Cuda, LoopsAreNotJammedAcrossBarriers) {
  EXPECT_FALSE(CudaBench(suite_kernel("scan")).applies({"unroll_jam", 0, {2}}));
  EXPECT_TRUE(CudaBench(suite_kernel("convolution_2d")).applies({"unroll_jam", 0, {2}}));
}

TEST_F(Cuda, KernelsThatShareMemoryKeepTheirGeometry) {
  CudaBench bench(suite_kernel("scan"));
  for (const char* gene : {"block", "elements", "row_group", "vector_access", "swap_axes"})
    EXPECT_FALSE(bench.applies({gene, 0, {}})) << gene;
}

TEST_F(Cuda, KernelsThatUseTheirIndicesOtherwiseKeepTheirGeometry) {
  CudaBench bench(elementwise("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) y[i] = x[i] + threadIdx.x;"));
  EXPECT_FALSE(bench.applies({"block", 0, {128}}));
}

TEST_F(Cuda, EachOfSeveralKernelsIsASite) {
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
