// Several blocks for one item: clusters that share what a block, or a thread, had alone.
#include <gmock/gmock.h>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::Not;

// One block for each row: its mean, then its spread.
std::string rows(const std::string& end = "if (threadIdx.x == 0) y[row] = s[0] / n;") {
  return R"(
__global__ void each(const float* x, float* y, int n) {
  __shared__ float s[256];
  int row = blockIdx.x;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[row * n + i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; __syncthreads(); }
  )" + end +
         R"(
}
#pragma hone kernel in(x[0:m * n]) out(y[0:m * n]) problem(m=16, n=100000)
void run(const float* x, float* y, int m, int n) { each<<<m, 256>>>(x, y, n); }
)";
}

TEST_F(CudaTransforms, ShareRowsOfBlocksAmongBlocksOfCluster) {
  CudaBench bench(rows());
  const std::string text = bench.apply({{"cluster", 0, {8}}, {"warp_shuffles", 0, {}}});
  EXPECT_THAT(text, AllOf(Says("__cluster_dims__(8, 1, 1) each_tuned("), Says("int row = (blockIdx.x / 8);"),
                          Says("int i = threadIdx.x + blockIdx.x % 8 * blockDim.x; i < n; i += blockDim.x * 8"),
                          Says("s_of_all += s_of_one;"), Says("if (threadIdx.x == 0 && blockIdx.x % 8 == 0) y[row]"),
                          Says("run_wider(m, 8)"), Says("__shfl_down_sync")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

TEST_F(CudaTransforms, LetClusterWaitBetweenLoopsThatWriteRows) {
  const std::string write = "for (int i = threadIdx.x; i < n; i += 256) y[row * n + i] = x[row * n + i] / s[0];";
  const std::string waited = "__syncthreads();\n" + write;
  EXPECT_THAT(CudaBench(rows(waited)).apply({{"cluster", 0, {4}}}),
              AllOf(Says("i += 256 * 4"), Says("cooperative_groups::this_cluster().sync(); for (int i")));
}

TEST_F(CudaTransforms, KeepBlocksThatUseThreadsOtherwise) {
  for (const std::string end :
       {"y[threadIdx.x] = s[0];", "y[row] = s[0];", "if (threadIdx.x < 2) y[threadIdx.x] = s[0];",
        "if (threadIdx.x == 0) { y[row] = s[0]; s[0] = 0; }", "y[row * gridDim.x] = s[0];"})
    EXPECT_FALSE(CudaBench(rows(end)).applies({"cluster", 0, {8}})) << end;
}

TEST_F(CudaTransforms, KeepBlocksWhereDeviceHasNoClusters) {
  CudaBench bench(rows(), {"-std=c++17", "-arch=sm_80"});
  EXPECT_FALSE(bench.applies({"cluster", 0, {8}}));
}

TEST_F(CudaTransforms, GiveRowOfThreadToCluster) {
  CudaBench bench(R"(
static __global__ void each(const float* x, float* y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float top = x[row * n];
  for (int i = 1; i < n; ++i) top = fmaxf(top, x[row * n + i]);
  for (int i = 0; i < n; ++i) y[row * n + i] = x[row * n + i] - top;
}
#pragma hone kernel in(x[0:m * n]) out(y[0:m * n]) problem(m=16, n=100000)
void run(const float* x, float* y, int m, int n) { each<<<(m + 127) / 128, 128>>>(x, y, m, n); }
)");
  const std::string text = bench.apply({{"row_group", 0, {256, 8}}});
  EXPECT_THAT(text,
              AllOf(Says("__cluster_dims__(8, 1, 1) each_tuned("), Says("const int row = blockIdx.x / 8;"),
                    Says("const int lane = threadIdx.x + blockIdx.x % 8 * 256;"), Says("i += 2048"),
                    Says("run_cluster_largest<256, 8>(top)"), Says("cooperative_groups::this_cluster().sync();")));
  EXPECT_THAT(bench.catalog().recipes.front(), ::testing::Contains(Gene{"row_group", 0, {256, 8}}))
      << "few rows leave a device idle";
  EXPECT_THAT(bench.apply({{"row_group", 0, {256}}}), Not(Says("cluster")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
}

}  // namespace
}  // namespace hone::frontend
