// Rows of neighboring threads that go through shared memory.
#include <gmock/gmock.h>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;

std::string along_rows(const std::string& work) {
  return R"(
__global__ void each(const float* points, const float* centre, float* y, int count, int features) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count) return;
  float sum = 0;
  )" + work +
         R"(
  y[p] = sum;
}
#pragma hone kernel in(points[0:n * k], centre[0:k]) out(y[0:n]) problem(n=1000000, k=34)
void run(const float* points, const float* centre, float* y, int n, int k) {
  each<<<(n + 255) / 256, 256>>>(points, centre, y, n, k);
}
)";
}

TEST_F(CudaTransforms, StageRowsOfThreadsInSharedMemory) {
  CudaBench bench(along_rows("for (int f = 0; f < features; ++f) sum += fabsf(points[p * features + f] - centre[f]);"));
  const std::string text = bench.apply({{"stage_rows", 0, {}}});
  EXPECT_THAT(text,
              AllOf(Says("extern __shared__ float points_rows[];"), Says("sum += fabsf(points_row[f] - centre[f]);"),
                    Says("__syncthreads_count(p < count) * row_length"),
                    Says("<<<(n + 255) / 256, 256, run_row_bytes(256, (k), sizeof(float))>>>")));
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(complaint_of_nvcc({text}), "");
  EXPECT_THAT(bench.catalog().recipes.front(), ::testing::Contains(Gene{"stage_rows", 0, {}}));
}

TEST_F(CudaTransforms, KeepRowsThatAreReadOtherwise) {
  for (const std::string work : {"for (int f = 1; f < features; ++f) sum += points[p * features + f];",
                                 "for (int f = 0; f < features; ++f) sum += points[p * features + f] + points[f];",
                                 "for (int f = 0; f + 1 < features; ++f) sum += points[p * features + f + 1];",
                                 "for (int f = 0; f < 34; ++f) sum += points[p * features + f];",
                                 "for (int f = 0; f < features; ++f) sum += points[f * count + p];"})
    EXPECT_FALSE(CudaBench(along_rows(work)).applies({"stage_rows", 0, {}})) << work;
}

}  // namespace
}  // namespace hone::frontend
