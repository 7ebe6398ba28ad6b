// Matrix product over tiles in shared memory; nothing but the language.

namespace {
constexpr int tile = 16;
}

#pragma hone kernel in(a[0 : m * k], b[0 : k * n]) out(c[0 : m * n]) problem(m = 1024, n = 1024, k = 1024) \
    launch(grid((n + tile - 1) / tile, (m + tile - 1) / tile), block(tile, tile)) tolerance(rtol = 1e-4)
__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float rows[tile][tile], columns[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0.0f;
  for (int p = 0; p < k; p += tile) {
    rows[threadIdx.y][threadIdx.x] = row < m && p + threadIdx.x < k ? a[row * k + p + threadIdx.x] : 0.0f;
    columns[threadIdx.y][threadIdx.x] = column < n && p + threadIdx.y < k ? b[(p + threadIdx.y) * n + column] : 0.0f;
    __syncthreads();
    for (int q = 0; q < tile; ++q) sum += rows[threadIdx.y][q] * columns[q][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
