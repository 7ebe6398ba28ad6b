// kernel: pairwise_l1
// verdict: right
// standard: c++20
// tries: tiles of 64 by 64 distances, 4 by 4 in the registers of each thread, coordinates through shared memory
#include <cuda_runtime.h>

static constexpr int L1_TILE = 64;
static constexpr int L1_DEPTH = 16;

static __global__ void __launch_bounds__(256)
    pairwise_l1_tiles_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ distance,
                             int m, int n, int k) {
  __shared__ alignas(16) float as[L1_DEPTH][L1_TILE + 4];
  __shared__ alignas(16) float bs[L1_DEPTH][L1_TILE + 4];
  int i0 = blockIdx.y * L1_TILE;
  int j0 = blockIdx.x * L1_TILE;
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float sum[4][4] = {};
  for (int p0 = 0; p0 < k; p0 += L1_DEPTH) {
    // What lies outside is zero on both sides, or belongs to distances that are not stored.
    for (int q = 0; q < 4; ++q) {
      int row = ty + 16 * q;
      int p = p0 + tx;
      as[tx][row] = p < k && i0 + row < m ? a[(size_t)(i0 + row) * k + p] : 0.0f;
      bs[tx][row] = p < k && j0 + row < n ? b[(size_t)(j0 + row) * k + p] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < L1_DEPTH; ++p) {
      float4 left = *reinterpret_cast<const float4*>(&as[p][4 * ty]);
      float4 right = *reinterpret_cast<const float4*>(&bs[p][4 * tx]);
      float u[4] = {left.x, left.y, left.z, left.w};
      float v[4] = {right.x, right.y, right.z, right.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sum[i][j] += fabsf(u[i] - v[j]);
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    int row = i0 + 4 * ty + i;
    for (int j = 0; j < 4; ++j) {
      int column = j0 + 4 * tx + j;
      if (row < m && column < n) {
        distance[(size_t)row * n + column] = sum[i][j];
      }
    }
  }
}

void pairwise_l1(const float* a, const float* b, float* distance, int m, int n, int k, cudaStream_t s) {
  if (m == 0 || n == 0) {
    return;
  }
  int across = (n + L1_TILE - 1) / L1_TILE;
  int down = (m + L1_TILE - 1) / L1_TILE;
  pairwise_l1_tiles_kernel<<<dim3(across, down), 256, 0, s>>>(a, b, distance, m, n, k);
}
