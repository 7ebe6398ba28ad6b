// Matrix transpose through tiles in shared memory, a column wider than they need be.

__global__ void turn_tiles(const float* from, float* to, int rows, int columns) {
  __shared__ float tile[16][17];
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  if (row < rows && column < columns) {
    tile[threadIdx.y][threadIdx.x] = from[row * columns + column];
  }
  __syncthreads();
  column = blockIdx.y * 16 + threadIdx.x;
  row = blockIdx.x * 16 + threadIdx.y;
  if (row < columns && column < rows) {
    to[row * rows + column] = tile[threadIdx.x][threadIdx.y];
  }
}

#pragma hone kernel in(from[0 : rows][0 : columns]) out(to[0 : columns][0 : rows]) problem(rows = 512, columns = 300) \
    problem(rows = 77, columns = 401)
void tile_transpose(const float* from, float* to, int rows, int columns) {
  dim3 grid((columns + 15) / 16, (rows + 15) / 16);
  turn_tiles<<<grid, dim3(16, 16)>>>(from, to, rows, columns);
}
