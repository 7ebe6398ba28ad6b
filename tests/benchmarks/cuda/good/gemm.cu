// 64x64 tiles of C a block, 4x4 a thread in registers; strips of A (transposed) and B pass through shared memory.

namespace {

constexpr int tile = 64, depth = 16, own = 4;

__global__ void __launch_bounds__(256) multiply_tiles(const float* __restrict__ a, const float* __restrict__ b,
                                                      float* __restrict__ c, int m, int n, int k) {
  __shared__ __align__(16) float left[depth][tile + 4];
  __shared__ __align__(16) float right[depth][tile];
  const int first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
  const int row = threadIdx.x / 16 * own, column = threadIdx.x % 16 * own;
  float sums[own][own] = {};
  for (int start = 0; start < k; start += depth) {
    for (int i = threadIdx.x; i < tile * depth; i += 256) {
      const int r = i / depth, p = i % depth;
      left[p][r] = first_row + r < m && start + p < k ? a[(first_row + r) * k + start + p] : 0.0f;
    }
    for (int i = threadIdx.x; i < depth * tile; i += 256) {
      const int p = i / tile, j = i % tile;
      right[p][j] = start + p < k && first_column + j < n ? b[(start + p) * n + first_column + j] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < depth; ++p) {
      const float4 u = *reinterpret_cast<const float4*>(&left[p][row]);
      const float4 v = *reinterpret_cast<const float4*>(&right[p][column]);
      const float us[own] = {u.x, u.y, u.z, u.w}, vs[own] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int i = 0; i < own; ++i) {
#pragma unroll
        for (int j = 0; j < own; ++j) sums[i][j] += us[i] * vs[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < own; ++i) {
    for (int j = 0; j < own; ++j) {
      if (first_row + row + i < m && first_column + column + j < n)
        c[(first_row + row + i) * n + first_column + column + j] = sums[i][j];
    }
  }
}

}  // namespace

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
  multiply_tiles<<<grid, 256>>>(a, b, c, m, n, k);
}
