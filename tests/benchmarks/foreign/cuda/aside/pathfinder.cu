// Rodinia's pathfinder: the least cost of a way down a grid to each of its cells, which goes straight or diagonally. A
// launch for each row, one thread for each cell of it.

__global__ void next_row(const int* wall, const int* above, int* below, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  int least = above[column];
  if (column > 0) {
    least = min(least, above[column - 1]);
  }
  if (column < columns - 1) {
    least = min(least, above[column + 1]);
  }
  below[column] = wall[column] + least;
}

#pragma hone kernel in(wall[0 : rows * columns]) out(costs[0 : rows * columns]) init(wall : uniform(0, 9)) \
    problem(rows = 100, columns = 100000) problem(rows = 33, columns = 1013) requires(rows >= 1)
void pathfinder(const int* wall, int* costs, int rows, int columns) {
  cudaMemcpyAsync(costs, wall, columns * sizeof(int), cudaMemcpyDeviceToDevice);
  for (int row = 1; row < rows; ++row) {
    next_row<<<(columns + 255) / 256, 256>>>(wall + row * columns, costs + (row - 1) * columns, costs + row * columns,
                                             columns);
  }
}
