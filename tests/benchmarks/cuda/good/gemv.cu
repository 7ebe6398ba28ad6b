// One block of four warps for each row, four elements a load, summed by shuffles.
#include <cstdint>

namespace {

constexpr int block = 128;

bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

__global__ void __launch_bounds__(block) multiply_row(const float* __restrict__ a, const float* __restrict__ x,
                                                      float* __restrict__ y, int columns, int quads) {
  __shared__ float sums[block / 32];
  const float* row = a + static_cast<std::size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < quads; i += block) {
    const float4 p = reinterpret_cast<const float4*>(row)[i], q = reinterpret_cast<const float4*>(x)[i];
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  for (int i = 4 * quads + threadIdx.x; i < columns; i += block) sum += row[i] * x[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < block / 32 ? sums[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
  }
}

}  // namespace

void gemv(const float* a, const float* x, float* y, int rows, int columns) {
  const int quads = columns % 4 == 0 && is_aligned(a) && is_aligned(x) ? columns / 4 : 0;
  multiply_row<<<rows, block>>>(a, x, y, columns, quads);
}
