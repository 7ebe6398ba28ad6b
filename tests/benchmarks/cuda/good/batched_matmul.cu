// One block for each 32x32 tile of each product, its strips of both factors in shared memory; four rows a thread.

namespace {

constexpr int tile = 32, strip = 8, own = tile / strip;

__global__ void __launch_bounds__(tile* strip)
    multiply_tile(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int size) {
  __shared__ __align__(16) float left[tile][tile];
  __shared__ float right[tile][tile];
  const size_t matrix = static_cast<size_t>(blockIdx.x) * size * size;
  const int first_row = blockIdx.y * tile, column = blockIdx.z * tile + threadIdx.x;
  float sums[own] = {};
  for (int start = 0; start < size; start += tile) {
#pragma unroll
    for (int i = threadIdx.y; i < tile; i += strip) {
      const int row = first_row + i, p = start + threadIdx.x;
      left[i][threadIdx.x] = row < size && p < size ? a[matrix + row * size + p] : 0.0f;
      right[i][threadIdx.x] = start + i < size && column < size ? b[matrix + (start + i) * size + column] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < tile; p += 4) {
#pragma unroll
      for (int i = 0; i < own; ++i) {
        const float4 u = *reinterpret_cast<const float4*>(&left[threadIdx.y + i * strip][p]);
        sums[i] += u.x * right[p][threadIdx.x] + u.y * right[p + 1][threadIdx.x] + u.z * right[p + 2][threadIdx.x] +
                   u.w * right[p + 3][threadIdx.x];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const int row = first_row + threadIdx.y + i * strip;
    if (row < size && column < size) c[matrix + row * size + column] = sums[i];
  }
}

}  // namespace

void batched_matmul(const float* a, const float* b, float* c, int batch, int size) {
  const int tiles = (size + tile - 1) / tile;
  multiply_tile<<<dim3(batch, tiles, tiles), dim3(tile, strip)>>>(a, b, c, size);
}
