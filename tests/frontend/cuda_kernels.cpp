#include "tests/frontend/cuda_kernels.h"

#include <unistd.h>

namespace hone::frontend {

const char* const kGemm = R"code(
#include <cstdio>
constexpr int kTile = 16;
static void log_once() { std::puts("gemm"); }
#pragma hone kernel in(a[0:m*k], b[0:k*n]) out(c[0:m*n]) problem(m=64, n=48, k=32) \
    launch(grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile), block(kTile, kTile), shared(2 * sizeof(float)))
__global__ void __launch_bounds__(256) gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
void run(const float* a, const float* b, float* c, int m, int n, int k) {
  log_once();
  gemm<<<dim3(n / 16, m / 16), dim3(16, 16)>>>(a, b, c, m, n, k);
}
)code";

const char* const kSoftmax = R"code(
#include <cfloat>
#include <vector>
#define WARP 32
__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int offset = WARP / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}
__device__ float unused_helper(float x) { return x; }
static int on_the_host(int n, int step) { return (n + step - 1) / step * step; }
__host__ __device__ inline int rounded_up(int n, int step) {
#ifdef __CUDA_ARCH__
  return (n + step - 1) / step * step;
#else
  return on_the_host(n, step);
#endif
}
extern __shared__ float scratch[];
__global__ void softmax_rows(const float* __restrict__ x, float* __restrict__ y, int columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out = y + static_cast<size_t>(blockIdx.x) * columns;
  __shared__ float total;
  float high = -FLT_MAX;
  for (int i = 0; i < columns; ++i) high = fmaxf(high, row[i]);
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += scratch[i] = __expf(row[i] - high);
  sum = warp_sum(sum);
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[i] = scratch[i] / total;
}
#pragma hone kernel in(x[0:rows][0:columns]) out(y[0:rows][0:columns]) problem(rows=128, columns=100) stream(s)
cudaError_t softmax(const float* x, float* y, int rows, int columns, cudaStream_t s) {
  softmax_rows<<<rows, WARP, rounded_up(columns, 4) * sizeof(float), s>>>(x, y, columns);
  return cudaGetLastError();
}
std::vector<float> elsewhere() { return {}; }
)code";

const char* const kCooperative = R"code(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void block_sums(const float* x, float* sums, int n) {
  __shared__ float partial[32];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    sum = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0.0f;
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (block.thread_rank() == 0) sums[blockIdx.x] = sum;
  }
}
#pragma hone kernel in(x[0:n]) out(sums[0:blocks]) problem(n=100000, blocks=16)
void sum_blocks(const float* x, float* sums, int n, int blocks) { block_sums<<<blocks, 256>>>(x, sums, n); }
)code";

const char* const kReduce = R"code(
#include <cub/device/device_reduce.cuh>
namespace app {
#pragma hone kernel in(x[0:n]) out(sum[1]) problem(n=1<<20) stream(stream)
void total(const float* x, float* sum, int n, cudaStream_t stream) {
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, x, sum, n, stream);
  void* workspace = nullptr;
  cudaMallocAsync(&workspace, bytes, stream);
  cub::DeviceReduce::Sum(workspace, bytes, x, sum, n, stream);
  cudaFreeAsync(workspace, stream);
}
}  // namespace app
)code";

const char* const kTemplates = R"code(
namespace app {
namespace {
struct Clamp {
  float low, high;
  __host__ __device__ float operator()(float x) const { return x < low ? low : x > high ? high : x; }
};
template <class T> struct Identity { using type = T; };
template <int Block, class Operation, class T>
__global__ void map(const T* x, typename Identity<T>::type* y, int n, Operation operation) {
  const int i = blockIdx.x * Block + threadIdx.x;
  if (i < n) y[i] = operation(x[i]);
}
template <int Block, class Operation> void apply(const float* x, float* y, int n, Operation operation) {
  map<Block><<<(n + Block - 1) / Block, Block>>>(x, y, n, operation);
}
}  // namespace
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1000) tolerance(exact)
void clamp(const float* x, float* y, int n, float low, float high) { apply<128>(x, y, n, Clamp{low, high}); }
}  // namespace app
)code";

const char* const kHalf = R"code(
#include <cuda_fp16.h>
__global__ void axpy(__half a, const __half* x, __half* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, x[i], y[i]);
}
#pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=4096)
void haxpy(__half a, const __half* x, __half* y, int n) { axpy<<<(n + 255) / 256, 256>>>(a, x, y, n); }
)code";

const char* const kConstant = R"code(
__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
__global__ void smooth(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = weights[0] * x[i - 1] + weights[1] * x[i] + weights[2] * x[i + 1];
  else if (i < n) y[i] = x[i];
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1000)
void blur(const float* x, float* y, int n) { smooth<<<(n + 127) / 128, 128>>>(x, y, n); }
)code";

Snippet cuda_snippet(const std::string& text, std::vector<std::string> flags) {
  return Snippet(text, std::move(flags), "main.cu");
}

bool has_cuda() {
  return access(kNvcc, X_OK) == 0;
}

}  // namespace hone::frontend
