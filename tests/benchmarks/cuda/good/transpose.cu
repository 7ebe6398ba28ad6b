// Tiles of 32x32 through shared memory, whose rows are one element longer so that its columns lie in different banks.

namespace {

constexpr int tile = 32, strip = 8;

__global__ void __launch_bounds__(tile* strip)
    transpose_tiles(const float* __restrict__ a, float* __restrict__ b, int rows, int columns) {
  __shared__ float values[tile][tile + 1];
  const int first_column = blockIdx.x * tile, first_row = blockIdx.y * tile;
#pragma unroll
  for (int i = threadIdx.y; i < tile; i += strip) {
    const int row = first_row + i, column = first_column + threadIdx.x;
    if (row < rows && column < columns) values[i][threadIdx.x] = a[row * columns + column];
  }
  __syncthreads();
#pragma unroll
  for (int i = threadIdx.y; i < tile; i += strip) {
    const int column = first_column + i, row = first_row + threadIdx.x;
    if (row < rows && column < columns) b[column * rows + row] = values[threadIdx.x][i];
  }
}

}  // namespace

void transpose(const float* a, float* b, int rows, int columns) {
  const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  transpose_tiles<<<grid, dim3(tile, strip)>>>(a, b, rows, columns);
}
