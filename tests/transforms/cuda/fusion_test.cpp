// Launches behind one another that become one.
#include <gmock/gmock.h>

#include "tests/transforms/cuda/cuda_bench.h"

namespace hone::frontend {
namespace {

using ::testing::AllOf;
using ::testing::Not;

const std::string scale_then = R"(
__global__ void scale(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
__global__ void next(const float* y, const float* x, float* z, int count) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= count) return;
  )";
const std::string launches = R"(
}
#pragma hone kernel in(x[0:n]) out(y[0:n], z[0:n]) problem(n=100000)
void run(const float* x, float* y, float* z, float a, int n) {
  scale<<<(n + 255) / 256, 256>>>(x, y, a, n);
  next<<<(n + 255) / 256, 256>>>(y, x, z, n);
}
)";

TEST_F(CudaTransforms, FuseChainOfElementwiseKernels) {
  CudaBench bench(scale_then + "float v = y[j] + x[j]; z[j] = fmaxf(v, 0.0f);" + launches);
  const std::string text = bench.apply({{"fuse_launches", 0, {}}, {"vector_access", 0, {4}}});
  EXPECT_THAT(text,
              AllOf(Says("scale_tuned(const float* x, float* y, float a, int n, float* z)"), Not(Says("next_tuned"))));
  EXPECT_EQ(bench.refusal(text), "");
  const std::string drive = R"(for (int n : {1, 255, 1000}) {
  auto x = numbers<float>(n), y = std::vector<float>(n), z = y; run(x.data(), y.data(), z.data(), 3, n);
  keep(y); keep(z); })";
  EXPECT_EQ(bench.difference(bench.apply({{"fuse_launches", 0, {}}}), drive), "");
  EXPECT_EQ(bench.difference(text, drive), "");
  EXPECT_THAT(text, Not(Says("y_pack = *"))) << "y is written before it is read";
  EXPECT_EQ(bench.catalog().recipes.front().front(), (Gene{"fuse_launches", 0, {}}));
}

TEST_F(CudaTransforms, FuseKernelsOfDifferentBorders) {
  CudaBench bench(R"(
__global__ void down(float* a, const float* x, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= 1 && row < rows && column < columns) a[row * columns + column] += x[(row - 1) * columns + column];
}
__global__ void across(const float* x, float* b, int height, int width) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < height && c >= 1 && c < width) b[r * width + c] += x[r * width + c - 1];
}
#pragma hone kernel in(x[0:rows * columns]) inout(a[0:rows * columns], b[0:rows * columns]) problem(rows=100, columns=70)
void run(float* a, float* b, const float* x, int rows, int columns) {
  dim3 block(16, 8), grid((columns + 15) / 16, (rows + 7) / 8);
  down<<<grid, block>>>(a, x, rows, columns);
  across<<<grid, block>>>(x, b, rows, columns);
}
)");
  const std::string text = bench.apply({{"fuse_launches", 0, {}}});
  EXPECT_EQ(bench.refusal(text), "");
  EXPECT_EQ(bench.difference(text, R"(for (int n : {1, 9, 40}) {
  auto x = numbers<float>(n * (n + 3)), a = x, b = x; run(a.data(), b.data(), x.data(), n, n + 3); keep(a); keep(b); })"),
            "");
}

TEST_F(CudaTransforms, KeepLaunchesWhoseThreadsNeedEachOther) {
  for (const std::string work : {"z[j] = y[j] + (j > 0 ? y[j - 1] : 0);", "z[j] = y[count - 1 - j];",
                                 "atomicAdd(&z[0], y[j]);", "z[j] = y[int(x[j]) & 7];"})
    EXPECT_FALSE(CudaBench(scale_then + work + launches).applies({"fuse_launches", 0, {}})) << work;
}

TEST_F(CudaTransforms, KeepLaunchesOfOtherShapesAndWithWorkBetween) {
  std::string other_grid = launches, between = launches;
  other_grid.replace(other_grid.rfind("255"), 3, "127");
  between.insert(between.find("next<<<"), "cudaMemsetAsync(z, 0, sizeof(float) * n);\n  ");
  for (const std::string& end : {other_grid, between})
    EXPECT_FALSE(CudaBench(scale_then + "z[j] = y[j];" + end).applies({"fuse_launches", 0, {}})) << end;
}

}  // namespace
}  // namespace hone::frontend
